# %% [markdown]
# # BERT and GPT: two ways to train what you built
#
# The Transformer of the paper reads with an encoder and writes with a decoder. A year later two halves of it became
# famous by themselves. **BERT** (Devlin et al. 2019) is the encoder: words of a sentence are hidden, and the model fills
# them in from both sides. **GPT** (Radford et al. 2018) is the decoder without anything to look at but its own words:
# it learns to say what comes next. Neither needs translations. Text is enough, because the text itself holds the answers.
#
# This notebook trains both on lines that say a number twice, in Korean and in English:
#
# | `<bos>` | 삼 | 백 | 이 | 십 | 일 | `<eos>` | three | hundred | twenty | one | `<eos>` |
# |---|---|---|---|---|---|---|---|---|---|---|---|
#
# ![You are here: one side of the model alone. BERT is the encoder's side; GPT is the decoder's without the memory. Training and decoding are highlighted.](../_shared/diagrams/model-09.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `mask_tokens`: what BERT is asked | 4 |
# | 2 | `build_encoder_lm`: the model that fills in | 4 |
# | 3 | `build_decoder_lm`: the model that goes on | 4 |
# | 4 | `masked_mean_pooling`: one vector for a sequence | 2 |
# | 5 | `sample`: let the model speak, with temperature, top-k and top-p | 3 |
# | 6 | `cached_attention_step`: a key-value cache, so that it speaks faster | 3 |
#
# These 20 points are a **bonus**: they come on top of those of the other notebooks.
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points come
# from other inputs after you hand in; each task's points are given in parts. A mistake in one task does not cost you the points of a later one
# (but for a class that tasks 2 and 3 share, see task 3). NumPy, `keras.ops` and `tf.*` all count the same.
#
# **Token ids.** The special ones are `<pad>` 0, `<bos>` 1, `<eos>` 2, `<unk>` 3 and the last id, `<mask>`. Between them stand 14 syllables and 31 words.
#
# <!-- ko -->
# # BERT와 GPT: 지금까지 만든 것을 학습시키는 두 가지 방법
#
# 논문의 트랜스포머(Transformer)는 인코더(encoder)로 읽고 디코더(decoder)로 씁니다. 이듬해부터 그 두 절반이 각각 유명해졌습니다.
# **BERT**(Devlin et al. 2019)는 인코더입니다. 문장에서 단어를 가리면 모델이 양쪽을 보고 채웁니다. **GPT**(Radford et al. 2018)는
# 자기가 쓴 단어 말고는 볼 것이 없는 디코더입니다. 다음에 무엇이 올지 말하는 법을 배웁니다. 둘 다 번역문이 필요 없습니다. 답이 글
# 안에 들어 있으므로 글만 있으면 됩니다.
#
# 이 노트북에서는 수 하나를 한국어와 영어로 한 번씩 적은 줄(line)로 두 모델을 학습(training)시킵니다.
#
# | `<bos>` | 삼 | 백 | 이 | 십 | 일 | `<eos>` | three | hundred | twenty | one | `<eos>` |
# |---|---|---|---|---|---|---|---|---|---|---|---|
#
# ![지금 여기: 모델의 한쪽만. BERT는 인코더 쪽이고, GPT는 메모리 없는 디코더 쪽입니다. 학습과 디코딩을 강조했습니다.](../_shared/diagrams/model-09.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `mask_tokens`: BERT에게 낼 문제 | 4 |
# | 2 | `build_encoder_lm`: 빈칸을 채우는 모델 | 4 |
# | 3 | `build_decoder_lm`: 이어서 말하는 모델 | 4 |
# | 4 | `masked_mean_pooling`: 시퀀스(sequence) 하나를 벡터 하나로 | 2 |
# | 5 | `sample`: 온도(temperature), top-k, top-p로 모델이 말하게 하기 | 3 |
# | 6 | `cached_attention_step`: 더 빨리 말하게 하는 키-값 캐시(key-value cache) | 3 |
#
# 이 20점은 **보너스**(bonus)입니다. 다른 노트북의 점수에 더해집니다.
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀에 공개 검사가 있습니다. 점수는 제출한 뒤 다른 입력으로
# 단계별로 매깁니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지 않습니다(과제 2와 3이 한 클래스를 함께 쓸 때만 예외입니다. 과제 3을 보세요). NumPy, `keras.ops`, `tf.*` 모두 똑같이 인정합니다.
#
# **토큰(token) ID.** 특수 ID는 `<pad>` 0, `<bos>` 1, `<eos>` 2, `<unk>` 3, 그리고 마지막 ID인 `<mask>`입니다. 그 사이에 음절 14개와 단어 31개가
# 있습니다.

# %% locked="setup" include="quiet_keras.py"
import time
import warnings

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

np.set_printoptions(precision=4, suppress=True)
to_numpy = ops.convert_to_numpy
warnings.filterwarnings("ignore", r"You\sare\susing\sa\ssoftmax")  # of one key, as the first step of a cache has
# ko: warnings.filterwarnings("ignore", r"You\sare\susing\sa\ssoftmax")  # 캐시의 첫 걸음에는 키가 하나뿐입니다
PAD, BOS, EOS, UNK = 0, 1, 2, 3
# While the notebook is graded or validated, its own training is left out.
# ko: # 채점하거나 검사(Validate)하는 동안에는 노트북 자체의 학습을 건너뜁니다.
BEING_GRADED = "NBGRADER_EXECUTION" in os.environ


def with_random_weights(model, seed=0):
    """Give every weight of a model a random value, biases and normalisations too. A fresh model hides much behind zeros."""
    # ko: """모델의 모든 가중치에 무작위 값을 줍니다. 편향과 정규화도 포함합니다. 갓 만든 모델에서는 0 때문에 많은 것이 드러나지 않습니다."""
    rng = np.random.default_rng(seed)
    for weight in model.weights:
        old = to_numpy(weight)
        noise = rng.normal(size=old.shape)
        weight.assign((old + 0.3 * noise if old.ndim < 2 else noise / old.shape[0] ** 0.5).astype("float32"))
    return model


def influence(model, token_ids, replacement):
    """
    Say how far each output position moves when one token changes.
    # ko: 토큰 하나가 바뀔 때 출력의 각 위치가 얼마나 움직이는지 알려 줍니다.

    Args:
    # ko: 인수:
        model: ids (batch, seq_len) -> logits (batch, seq_len, vocab_size).
        # ko: model: ID (batch, seq_len) -> 로짓 (batch, seq_len, vocab_size).
        token_ids, replacement: (seq_len,), each token is changed to its replacement, one at a time.
        # ko: token_ids, replacement: (seq_len,), 한 번에 한 토큰씩 replacement의 것으로 바꿉니다.

    Returns:
    # ko: 반환값:
        (seq_len, seq_len): row the output's position, column the changed token's.
        # ko: (seq_len, seq_len): 행은 출력의 위치, 열은 바꾼 토큰의 위치.
    """
    rows = np.repeat(token_ids[None], len(token_ids) + 1, axis=0)
    for position, token in enumerate(replacement):
        rows[position, position] = token
    outputs = to_numpy(model(rows))
    return np.abs(outputs[:-1] - outputs[-1:]).max(axis=-1).T


def show_influence(moved, ax, title, labels):
    """Draw what `influence` gave; a cross marks what does not move at all."""
    # ko: """`influence`의 결과를 그립니다. ×는 전혀 움직이지 않는 것을 나타냅니다."""
    image = ax.imshow(np.log10(moved + 1e-9), cmap="magma", vmin=-4, vmax=1)
    for (i, j), move in np.ndenumerate(moved):
        if move < 1e-5:
            ax.text(j, i, "×", ha="center", va="center", color="white", fontsize=8)
    ax.set(title=title, xlabel="changed token", ylabel="output position", yticks=range(len(moved)))
    # ko: ax.set(title=title, xlabel="바꾼 토큰 (changed token)", ylabel="출력 위치 (output)", yticks=range(len(moved)))
    ax.set_xticks(range(len(moved)), labels, rotation=60, fontsize=8)
    return image


# Public checks that the models of tasks 2 and 3 share
# ko: # 과제 2와 3의 모델에 함께 쓰는 공개 검사
def _built(build, *sizes, **options):
    """Return a model that was called. If its output layer begins with zeros, which hide all else, it gets random numbers."""
    # ko: """한 번 호출한 모델을 돌려줍니다. 출력층이 0에서 시작하면 다른 것이 모두 가려지므로 난수를 넣습니다."""
    model = build(*sizes, **options)
    model(np.array([[5, 7]], dtype="int32"))
    for weight in model.trainable_weights:
        if tuple(weight.shape) == (8, 11) and not to_numpy(weight).any():
            weight.assign(np.random.default_rng(0).normal(size=weight.shape) / 8**0.5)
    return model


def _count(model):
    """Return the number of a model's trainable parameters."""
    # ko: """모델의 학습되는 파라미터의 수를 돌려줍니다."""
    return sum(int(np.prod(weight.shape)) for weight in model.trainable_weights)


def _without_matrices(model):
    """Set all matrices of a model's blocks to 0: a block then hands on what comes in, and adds its biases."""
    # ko: """모델의 블록에 있는 행렬을 모두 0으로 바꿉니다. 그러면 블록은 받은 것에 편향만 더해 넘깁니다."""
    for weight in model.trainable_weights:
        if len(weight.shape) > 1 and tuple(weight.shape)[-2:] not in ((11, 8), (8, 11), (9, 8)):
            weight.assign(np.zeros(weight.shape))


def _check_parts(check, build):
    """Dropout in training, blocks of their own of the right size, and a normalisation behind the last one."""
    # ko: """학습할 때의 드롭아웃, 저마다 따로 있는 올바른 크기의 블록, 마지막 블록 뒤의 정규화를 검사합니다."""
    ids = np.array([[5, 7, 3, 9, 4, 0, 0], [8, 3, 10, 0, 0, 0, 0]], dtype="int32")
    dropping = _built(build, 11, 9, 1, 8, 2, 12, dropout=0.5)
    quiet = to_numpy(dropping(ids, training=False))
    check.true(
        not np.allclose(to_numpy(dropping(ids, training=True))[0, :5], quiet[0, :5], atol=1e-5),
        "with dropout 0.5 something is dropped in training",
        # ko: "드롭아웃 비율이 0.5이면 학습할 때 드롭아웃이 일어난다",
        "with dropout=0.5 `training=True` changes nothing: is there a dropout, and is the argument `dropout` its rate?",
        # ko: "dropout=0.5인데 `training=True`여도 달라지는 것이 없습니다. 드롭아웃이 있나요? 인수 `dropout`을 그 비율로 쓰나요?",
    )
    check.true(
        not np.allclose((quiet**2).mean(axis=-1), 1, atol=0.02),
        "the logits aren't normalised",
        # ko: "로짓을 정규화하지 않는다",
        "the squares of each position's logits have the mean 1, as behind a normalisation: the last one comes before the output layer.",
        # ko: "위치마다 로짓을 제곱해 평균하면 1이어서 정규화한 것과 같습니다. 마지막 정규화는 출력층보다 앞에 옵니다.",
    )
    two_blocks = _built(build, 11, 9, 2, 8, 2, 12)
    count, added = _count(dropping), _count(two_blocks) - _count(dropping)
    check.true(
        added > 0,
        "every block has weights of its own",
        # ko: "블록마다 자기 가중치가 있다",
        "with num_layers=2 there are no more weights than with 1: are num_layers blocks made, each with weights of its own, and are they all called?",
        # ko: "num_layers=2여도 가중치가 1일 때보다 많지 않습니다. 가중치가 저마다 따로 있는 블록을 num_layers개 만들어 모두 부르나요?",
    )
    check.true(
        added == 532,
        "a block has 532 parameters for d_model 8, 2 heads, ff_dim 12",
        # ko: "d_model 8, 헤드 2개, ff_dim 12이면 블록의 파라미터는 532개다",
        f"a second block adds {added} parameters, not 532 (d_model 8, 2 heads, ff_dim 12). Has each head d_model // num_heads = 4 features, "
        # ko: f"둘째 블록에서 파라미터가 532개가 아니라 {added}개 늘어납니다(d_model 8, 헤드 2개, ff_dim 12). 헤드마다 특징이 d_model // num_heads = 4개인가요? "
        "and the block one attention and one feed-forward network with biases, and two normalisations?",
        # ko: "블록에 편향이 있는 어텐션과 피드포워드 신경망이 하나씩, 정규화가 둘 있나요?",
    )
    check.true(
        count < 735 + 532,
        "with num_layers=1 there is no second block",
        # ko: "num_layers가 1이면 블록이 둘은 아니다",
        f"with num_layers=1 there are {count} parameters. An embedding, one block, a normalisation and the output layer have 735: is there a block too many?",
        # ko: f"num_layers=1인데 파라미터가 {count}개입니다. 임베딩, 블록 하나, 정규화, 출력층을 합하면 735개입니다. 블록이 하나 더 있지 않나요?",
    )
    _check_embeddings_drop(check, dropping, "sinusoidal positions")
    # ko: _check_embeddings_drop(check, dropping, "사인과 코사인의 위치")
    loud = _built(build, 11, 9, 1, 8, 2, 12, dropout=0.0)
    check.drops_nothing(lambda **options: loud(ids, **options))
    with_random_weights(loud)
    one_head = _built(build, 11, 9, 1, 8, 1, 12, dropout=0.0)
    if [tuple(weight.shape) for weight in one_head.weights] == [tuple(weight.shape) for weight in loud.weights]:
        one_head.set_weights(loud.get_weights())
        check.true(
            not np.allclose(to_numpy(one_head(ids))[0, :5], to_numpy(loud(ids))[0, :5], atol=1e-5),
            "with other heads the same weights give other logits",
            # ko: "가중치가 같아도 헤드의 수가 다르면 로짓이 다르다",
            "one head gives the same logits as two, with the same weights: do the blocks get `num_heads`?",
            # ko: "가중치가 같을 때 헤드가 하나여도 둘이어도 로짓이 같습니다. 블록에 `num_heads`를 넘기나요?",
        )
    _check_order_shows(check, loud, "sinusoidal positions")
    # ko: _check_order_shows(check, loud, "사인과 코사인의 위치")
    usual = np.abs(to_numpy(loud(ids))[0, :5]).max()
    for weight in loud.trainable_weights:
        if len(weight.shape) > 1 and tuple(weight.shape)[-2:] not in ((11, 8), (8, 11)):
            weight.assign(1000 * to_numpy(weight))
    check.true(
        np.abs(to_numpy(loud(ids))[0, :5, 1:]).max() < max(100.0, 100 * usual),
        "a normalisation stands behind the last block",
        # ko: "마지막 블록 뒤에 정규화가 있다",
        "with the block's matrices a thousand times as large the logits grow as much: is there a normalisation behind the last block?",
        # ko: "블록의 행렬을 천 배로 키우면 로짓도 그만큼 커집니다. 마지막 블록 뒤에 정규화가 있나요?",
    )
    for weight in loud.trainable_weights:
        if tuple(weight.shape)[-1:] == (12,):  # all that goes into the activation becomes -100
        # ko: if tuple(weight.shape)[-1:] == (12,):  # 활성화 함수에 들어가는 값이 모두 -100이 됩니다
            weight.assign(np.full(weight.shape, -100.0 if len(weight.shape) == 1 else 0.0))
    before = to_numpy(loud(ids))[0, :5]
    for weight in loud.trainable_weights:
        if tuple(weight.shape)[-2:] == (12, 8):
            weight.assign(np.zeros(weight.shape))
    check.true(
        np.allclose(to_numpy(loud(ids))[0, :5], before, atol=1e-3),
        "-100 doesn't pass the activation of the feed-forward network",
        # ko: "-100은 피드포워드 신경망의 활성화 함수를 통과하지 못한다",
        "where the first layer of the feed-forward network gives -100, that still has a say in the logits: is there a ReLU (or GELU) behind that layer?",
        # ko: "피드포워드 신경망의 첫 계층이 -100을 내놓는데도 그 값이 로짓에 영향을 줍니다. 그 계층 뒤에 ReLU(또는 GELU)가 있나요?",
    )
    check.uses_every_weight(two_blocks, lambda: two_blocks(ids), "with two blocks, where the second gets what the first gives")
    # ko: check.uses_every_weight(two_blocks, lambda: two_blocks(ids), "둘째 블록이 첫째 블록의 출력을 받는 모델")
    check.true(
        _ways_of_a_shift(two_blocks, ids) <= _ways_of_a_shift(dropping, ids),
        "both of two blocks add in the same way to what passes through them",
        # ko: "두 블록이 지나가는 벡터에 똑같은 방식으로 더한다",
        "with two blocks, what the first adds reaches the logits in another way than what the second adds. Does your loop put one more normalisation or residual connection around each block? The block already has its own.",
        # ko: "블록이 둘일 때, 첫째 블록이 더한 것과 둘째 블록이 더한 것이 로짓에 이르는 방식이 서로 다릅니다. 반복문에서 블록마다 정규화나 잔차 연결을 한 번 더 하지 않나요? 그것은 이미 블록 안에 있습니다.",
    )


def _ways_of_a_shift(model, ids):
    """Count the different logits when the matrices of a model's blocks are 0, and one vector is added at one bias after another."""
    # ko: """모델의 블록에 있는 행렬을 모두 0으로 하고 편향 하나씩에 같은 벡터를 더할 때 서로 다른 로짓이 몇 가지인지 셉니다."""
    shift, ways = np.random.default_rng(1).normal(size=8), []
    _without_matrices(model)
    for weight in [weight for weight in model.trainable_weights if tuple(weight.shape) == (8,) and not to_numpy(weight).any()]:
        weight.assign(shift)
        logits = to_numpy(model(ids))[0, :5]
        weight.assign(np.zeros(8))
        if not any(np.allclose(logits, other, atol=0.02) for other in ways):
            ways.append(logits)
    return len(ways)


def _check_embeddings_drop(check, model, kind):
    """The sum of embeddings and positions is dropped in training. `model` has been called and has its first weights; its matrices become 0."""
    # ko: """학습할 때 임베딩과 위치의 합에도 드롭아웃이 작동하는지 검사합니다. `model`은 이미 호출되었고 가중치는 처음 값입니다. 행렬은 0이 됩니다."""
    ids = np.array([[5, 7, 3, 9, 4, 2, 6]], dtype="int32")
    _without_matrices(model)
    logits = to_numpy(model(ids))
    check.true(
        np.ptp(logits, axis=1).max() > 1e-5,
        f"{kind}: with the blocks' matrices set to 0 the embeddings still reach the output",
        # ko: f"{kind}: 블록의 행렬이 모두 0이어도 임베딩은 출력까지 온다",
        f"{kind}: with the blocks' matrices set to 0 the embeddings don't reach the output. Has the attention a residual connection, and the feed-forward network one, too?",
        # ko: f"{kind}: 블록의 행렬을 모두 0으로 하면 임베딩이 출력까지 오지 않습니다. 어텐션과 피드포워드 신경망에 각각 잔차 연결이 있나요?",
    )
    check.true(
        not np.allclose(to_numpy(model(ids, training=True)), logits, atol=1e-5),
        f"{kind}: the embeddings are dropped in training",
        # ko: f"{kind}: 학습할 때 임베딩에도 드롭아웃이 작동한다",
        f"{kind}: in training only the blocks drop something, not the sum of embeddings and positions before them.",
        # ko: f"{kind}: 학습할 때 블록에서만 드롭아웃이 일어납니다. 그 앞의 임베딩과 위치의 합에는 드롭아웃이 없습니다.",
    )


def _check_order_shows(check, model, kind):
    """The same token over and over gets other logits at each place."""
    # ko: """똑같은 토큰을 늘어놓아도 자리마다 로짓이 다른지 검사합니다."""
    logits = to_numpy(model(np.full((1, 6), 5, dtype="int32")))[0]
    check.true(
        np.abs(logits[1:] - logits[:-1]).max(axis=-1).min() > 1e-5,
        f"{kind}: the model knows where a token stands",
        # ko: f"{kind}: 모델이 토큰의 자리를 안다",
        f"{kind}: the same token gets the same logits at every place. Are positions added to the embeddings?",
        # ko: f"{kind}: 똑같은 토큰의 로짓이 자리와 상관없이 같습니다. 임베딩에 위치를 더하나요?",
    )


def _check_learned_positions(check, build):
    """A table (max_len, d_model) that is trained, instead of the sinusoidal one."""
    # ko: """사인과 코사인으로 된 표 대신 학습되는 표 (max_len, d_model)이 있는지 검사합니다."""
    ids = np.array([[5, 7, 3, 9, 4, 0, 0], [8, 3, 10, 0, 0, 0, 0]], dtype="int32")
    dropping = _built(build, 11, 9, 1, 8, 2, 12, dropout=0.5, learned_positions=True)
    sinusoidal = _built(build, 11, 9, 1, 8, 2, 12)
    fixed, learned = _count(sinusoidal), _count(dropping)
    check.true(
        not any(tuple(weight.shape)[-2:] == (9, 8) for weight in sinusoidal.trainable_weights),
        "without learned_positions=True no table (max_len, d_model) is trained",
        # ko: "learned_positions=True가 아니면 학습되는 표 (max_len, d_model)이 없다",
        "the model has a trainable table (max_len, d_model) without learned_positions=True too, where the positions are the sinusoidal ones.",
        # ko: "learned_positions=True가 아닌 모델에도 학습되는 표 (max_len, d_model)이 있습니다. 그때의 위치는 사인과 코사인입니다.",
    )
    check.true(
        learned - fixed == 9 * 8,
        "learned positions are a trainable table (max_len, d_model)",
        # ko: "학습되는 위치는 가중치인 표 (max_len, d_model)이다",
        f"with learned_positions=True there should be max_len * d_model = 72 more parameters, but there are {learned - fixed} more.",
        # ko: f"learned_positions=True이면 파라미터가 max_len * d_model = 72개 늘어야 하는데 {learned - fixed}개 늘었습니다.",
    )
    without = _built(build, 11, 9, 1, 8, 2, 12, dropout=0.0, learned_positions=True)
    with_random_weights(without)
    _check_order_shows(check, without, "learned positions")
    # ko: _check_order_shows(check, without, "학습되는 위치")
    for table in [weight for weight in without.trainable_weights if tuple(weight.shape)[-2:] == (9, 8)]:
        table.assign(np.zeros(table.shape))
    last_of = lambda row: to_numpy(without(np.array([row], dtype="int32")))[:, -1]
    check.close(
        last_of([7, 3, 5, 9]),
        last_of([5, 7, 3, 9]),
        "learned positions stand instead of the sinusoidal ones: with a table of zeros the order makes no difference",
        # ko: "학습되는 위치는 사인과 코사인 대신 쓰인다: 표가 모두 0이면 순서가 달라도 같다",
        otherwise="With learned_positions=True and its table set to 0 the model still knows the order: are sinusoidal positions added too?",
        # ko: otherwise="learned_positions=True이고 표가 모두 0인데도 모델이 순서를 압니다. 사인과 코사인의 위치도 더하지 않았나요?",
    )
    _check_embeddings_drop(check, dropping, "learned positions")
    # ko: _check_embeddings_drop(check, dropping, "학습되는 위치")
    if not any(tuple(weight.shape)[-2:] == (8, 11) for weight in dropping.trainable_weights):
        return  # the output shares the embedding's table: without that nothing can be seen of the blocks
        # ko: return  # 출력층이 임베딩의 표를 함께 씁니다. 그 표가 없으면 블록도 보이지 않습니다
    with_random_weights(dropping)
    for table in [weight for weight in dropping.trainable_weights if tuple(weight.shape)[-2:] in ((11, 8), (9, 8))]:
        table.assign(np.zeros(table.shape))  # without embeddings only the blocks have something to drop
        # ko: table.assign(np.zeros(table.shape))  # 임베딩이 없으면 블록에서만 드롭아웃이 보입니다
    check.true(
        not np.allclose(to_numpy(dropping(ids, training=True))[0, :5], to_numpy(dropping(ids))[0, :5], atol=1e-5),
        "the blocks drop something in training",
        # ko: "학습할 때 블록에서도 드롭아웃이 작동한다",
        "in training only the embeddings are dropped, nothing in the blocks: does `dropout` reach them?",
        # ko: "학습할 때 임베딩에만 드롭아웃이 있고 블록에는 없습니다. `dropout`이 블록에 전달되나요?",
    )


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## The lines
#
# The next cell reads numbers in Korean and in English, as notebook 07 does. The one below it makes the lines: numbers
# below one million, 21 000 of them, the last 1000 held out.
#
# Why twice? A hidden digit of a number that stands there once could be any digit: nothing could learn it. Here the other
# half of the line says it again, in another language and another grouping (십이만 is *one hundred twenty thousand*).
#
# <!-- ko -->
# ## 줄
#
# 다음 셀은 7번 노트북처럼 수를 한국어와 영어로 읽습니다. 그 아래 셀은 백만보다 작은 수 21,000개로 줄을 만듭니다. 마지막
# 1,000줄은 시험용으로 남겨 둡니다.
#
# 왜 두 번 말할까요? 수가 한 번만 나오면 가려진 숫자는 무엇이든 될 수 있어서 어떤 모델도 배울 수 없습니다. 여기서는 줄의 나머지
# 절반이 같은 수를 다른 언어로, 다르게 묶어서 한 번 더 말합니다(십이만은 *one hundred twenty thousand*).

# %% locked="numbers" include="number_words.py"

# %% locked="lines"
TOKENS = [*TOKENS, "<mask>"]
IDS["<mask>"] = MASK = len(TOKENS) - 1
VOCAB_SIZE, LINE_LEN = len(TOKENS), 24


def to_lines(numbers):
    """Return one line for each number: <bos> Korean <eos> English <eos>, padded: (count, LINE_LEN)."""
    # ko: """수마다 한 줄을 돌려줍니다. <bos> 한국어 <eos> 영어 <eos>, 남는 자리는 패딩: (count, LINE_LEN)."""
    lines = np.zeros((len(numbers), LINE_LEN), dtype="int32")
    for line, number in zip(lines, numbers, strict=True):
        tokens = ["<bos>", *read_in_korean(number), "<eos>", *read_in_english(number), "<eos>"]
        line[: len(tokens)] = [IDS[token] for token in tokens]
    return lines


def token_labels(ids):
    """Return readable labels of ids: Hangul where the plots have a font for it, else its romanisation."""
    # ko: """ID를 읽기 좋은 이름표로 바꿉니다. 그림에 한글 글꼴이 있으면 한글, 없으면 로마자입니다."""
    names = [TOKENS[int(i)] for i in ids]
    return names if HAS_HANGUL else [ROMANISED.get(name, name) for name in names]


count = 2_000 if BEING_GRADED else 20_000
drawn_numbers = [number for number in draw_numbers(4 * count, seed=2019) if number < 10**6][: count + 1000]
lines = to_lines(drawn_numbers)
train_lines, test_lines, test_numbers = lines[:count], lines[count:], drawn_numbers[count:]
print(f"{len(train_lines)} lines to train on, {len(test_lines)} held out, {VOCAB_SIZE} ids; for example:")
# ko: print(f"학습할 줄 {len(train_lines)}개, 남겨 둔 줄 {len(test_lines)}개, ID {VOCAB_SIZE}개. 예:")
for line in test_lines[:3]:
    print("  ", " ".join(TOKENS[i] for i in line if i != PAD))

# %% [markdown]
# ## What you bring along
#
# Paste what you wrote in 01, 04, 05 and 06 over these stubs: the two kinds of positions, the masks, the block and the
# embedding. Paste whatever these call as well, such as `PositionalEncoding` with its functions, `FeedForward` or your
# `MultiHeadAttention`. You may use them below, or not, or bring others. A mistake in them costs nothing here: it has been
# counted there. Where yours don't work, those of the solutions that your instructor hands out after the due dates may be pasted as well. All of it has to compute
# with `ops` (or `tf.*`). The cell below it tries what you have pasted.
#
# <!-- ko -->
# ## 앞에서 만든 코드
#
# 1, 4, 5, 6번 노트북에서 작성한 두 가지 위치 인코딩, 마스크(mask), 블록(block), 임베딩(embedding)을 아래의 빈 코드 대신 붙여 넣으세요. 이들이
# 부르는 것(`PositionalEncoding`과 그 함수들, `FeedForward`, 직접 만든 `MultiHeadAttention` 등)도 함께 붙여 넣으세요. 아래 과제에서
# 써도 되고, 쓰지 않아도 되고, 다른 것을 가져와도 됩니다. 여기에 잘못이 있어도 이 노트북의 점수는 깎이지 않습니다. 이미 그 노트북에서
# 점수에 반영했습니다. 여러분의 코드가 제대로 동작하지 않으면 마감 뒤에 나누어 주는 해답의 코드를 붙여 넣어도 됩니다. 계산은 모두 `ops`(또는 `tf.*`)로 해야 합니다. 다음 셀이 붙여 넣은 것을 시험해
# 봅니다.


# %% carry_over=true
class LearnedPositionalEmbedding(keras.layers.Layer):
    """Adds the first seq_len rows of a trainable (max_len, dim) table, at first small random numbers, to (batch, seq_len, dim); notebook 01."""
    # ko: """(batch, seq_len, dim)에 학습되는 표 (max_len, dim)의 앞쪽 seq_len개 행을 더합니다. 표의 초깃값은 작은 난수입니다. 1번 노트북."""

    def __init__(self, max_len, dim, **kwargs):
        super().__init__(**kwargs)
        ### BEGIN SOLUTION
        self.max_len, self.dim = max_len, dim

    def build(self, input_shape):
        self.table = self.add_weight(shape=(self.max_len, self.dim), initializer="random_normal", name="table")
        ### END SOLUTION

    def call(self, inputs):
        ### BEGIN SOLUTION
        return inputs + ops.convert_to_tensor(self.table)[: ops.shape(inputs)[1]]
        ### END SOLUTION

    def compute_output_shape(self, input_shape):
        """Given: on JAX and PyTorch Keras can't tell the shape while the length is open."""
        # ko: """주어진 코드: JAX와 파이토치에서는 길이가 정해지지 않으면 케라스가 모양을 알아내지 못합니다."""
        return input_shape


class TokenEmbedding(keras.layers.Layer):
    """
    Embedding times the square root of d_model, plus sinusoidal positions, then dropout; notebook 06.
    # ko: 임베딩에 d_model의 제곱근을 곱하고 사인과 코사인의 위치 인코딩을 더한 뒤 드롭아웃을 합니다. 6번 노트북.

    Position p has sin(p / 10000 ** (2 i / d_model)) in column 2 i and the cosine of the same angle in column 2 i + 1.
    # ko: 위치 p의 2 i번 열은 sin(p / 10000 ** (2 i / d_model)), 2 i + 1번 열은 같은 각도의 코사인입니다.
    """

    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.d_model = d_model
        ### BEGIN SOLUTION
        self.scale = d_model**0.5
        self.embedding = keras.layers.Embedding(
            vocab_size, d_model, embeddings_initializer=keras.initializers.RandomNormal(stddev=d_model**-0.5)
        )
        angles = np.arange(max_len)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
        self.table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, d_model).astype("float32")
        self.dropout = keras.layers.Dropout(dropout)
        ### END SOLUTION

    def call(self, token_ids, training=None):
        ### BEGIN SOLUTION
        x = self.embedding(token_ids) * self.scale + ops.convert_to_tensor(self.table)[: ops.shape(token_ids)[1]]
        return self.dropout(x, training=training)
        ### END SOLUTION

    def compute_output_shape(self, input_shape):
        """Given: on JAX and PyTorch Keras can't tell the shape while the length is open."""
        # ko: """주어진 코드: JAX와 파이토치에서는 길이가 정해지지 않으면 케라스가 모양을 알아내지 못합니다."""
        return (*input_shape, self.d_model)


def create_padding_mask(token_ids, pad_id=0):
    """Say which tokens are padding: (batch, seq_len) -> (batch, 1, 1, seq_len), 1 at padding; notebook 04."""
    # ko: """어느 토큰이 패딩인지 알려 줍니다. (batch, seq_len) -> (batch, 1, 1, seq_len), 패딩이 1. 4번 노트북."""
    ### BEGIN SOLUTION
    return ops.cast(ops.equal(token_ids, pad_id), "float32")[:, None, None, :]
    ### END SOLUTION


def create_decoder_mask(token_ids, pad_id=0):
    """Hide the future and the padding: (batch, seq_len) -> (batch, 1, seq_len, seq_len); notebook 04."""
    # ko: """미래와 패딩을 가립니다. (batch, seq_len) -> (batch, 1, seq_len, seq_len). 4번 노트북."""
    ### BEGIN SOLUTION
    positions = ops.arange(ops.shape(token_ids)[1])
    ahead = ops.cast(positions[None, :] > positions[:, None], "float32")
    return ops.maximum(create_padding_mask(token_ids, pad_id), ahead)
    ### END SOLUTION


class EncoderBlock(keras.layers.Layer):
    """Self-attention and feed-forward, each with its residual; `call(x, mask=None)`, 1 hides; notebook 05."""
    # ko: """셀프 어텐션과 피드포워드, 각각 잔차 연결이 있습니다. `call(x, mask=None)`, 1이 가립니다. 5번 노트북."""

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


# %%
# The checks of the earlier notebooks for what you have pasted. What is still a stub is left out: you may do without it.
# ko: # 붙여 넣은 것에 앞 노트북의 검사를 해 봅니다. 아직 비어 있는 것은 건너뜁니다. 쓰지 않아도 되기 때문입니다.
@checking("what you bring along")
# ko: @checking("앞에서 만든 코드")
def _check(check):
    check.footer = "No points depend on this cell."
    # ko: check.footer = "이 셀에는 점수가 없습니다."
    rng = np.random.default_rng(8)
    ids = np.array([[5, 7, 3, 9, 0, 0], [8, 3, 10, 6, 4, 0]], dtype="int32")
    x = rng.normal(size=(2, 6, 8)).astype("float32")

    def learned_positions():
        layer = LearnedPositionalEmbedding(9, 8)
        check.shape(layer(x), (2, 6, 8), "LearnedPositionalEmbedding: (batch, seq_len, dim)")
        check.true(
            [tuple(weight.shape) for weight in layer.trainable_weights] == [(9, 8)],
            "LearnedPositionalEmbedding: one trainable table (max_len, dim)",
            # ko: "LearnedPositionalEmbedding: 학습되는 표 (max_len, dim) 하나",
            f"LearnedPositionalEmbedding(9, 8) should have one trainable weight (9, 8); it has {[tuple(w.shape) for w in layer.trainable_weights]}.",
            # ko: f"LearnedPositionalEmbedding(9, 8)에는 학습되는 가중치 (9, 8)이 하나 있어야 하는데 {[tuple(w.shape) for w in layer.trainable_weights]}입니다.",
        )

    def embedding():
        layer = TokenEmbedding(11, 8, 9, dropout=0.0)
        same = to_numpy(layer(np.full((1, 4), 5, dtype="int32")))[0]
        angles = np.arange(4)[:, None] * 10000.0 ** (-np.arange(0, 8, 2) / 8)
        table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(4, 8)
        check.close(
            same - same[:1],
            table - table[:1],
            "TokenEmbedding: the same token at other positions differs by rows of the sinusoidal table",
            # ko: "TokenEmbedding: 같은 토큰도 위치가 다르면 사인과 코사인으로 된 표의 행만큼 다르다",
            otherwise="Is row p of the sinusoidal table added at position p, with sines in the even columns and cosines in the odd ones?",
            # ko: otherwise="위치 p에 사인과 코사인으로 된 표의 행 p를 더하나요? 짝수 열이 사인, 홀수 열이 코사인인가요?",
        )

    def masks():
        padding, decoder = to_numpy(create_padding_mask(ids)), to_numpy(create_decoder_mask(ids))
        check.close(
            padding,
            (ids == 0)[:, None, None],
            "create_padding_mask: (batch, 1, 1, seq_len), 1 at padding",
            # ko: "create_padding_mask: (batch, 1, 1, seq_len), 패딩이 1",
            otherwise="1 stands where a key is hidden, that is where the id is 0, and 0 elsewhere.",
            # ko: otherwise="가리는 키, 곧 ID가 0인 곳이 1이고 나머지는 0이어야 합니다.",
        )
        ahead = np.triu(np.ones((6, 6)), 1)
        check.close(
            decoder,
            np.maximum((ids == 0)[:, None, None], ahead),
            "create_decoder_mask: (batch, 1, seq_len, seq_len), 1 at padding and in the future",
            # ko: "create_decoder_mask: (batch, 1, seq_len, seq_len), 패딩과 미래가 1",
            otherwise="1 stands where the key is padding or comes after the query, and 0 elsewhere. Each position sees itself.",
            # ko: otherwise="키가 패딩이거나 쿼리보다 뒤에 있으면 1이고 나머지는 0이어야 합니다. 위치마다 자기 자신은 봅니다.",
        )

    def block():
        layer = EncoderBlock(8, 2, 12, dropout=0.0)
        ahead = np.maximum((ids == 0)[:, None, None], np.triu(np.ones((6, 6)), 1)).astype("float32")
        before = to_numpy(layer(x, mask=ahead))
        check.true(
            layer.count_params() == 532,
            "EncoderBlock: 532 parameters for d_model 8, 2 heads, ff_dim 12",
            # ko: "EncoderBlock: d_model 8, 헤드 2개, ff_dim 12이면 파라미터 532개",
            f"EncoderBlock has {layer.count_params()} parameters for d_model 8, 2 heads, ff_dim 12; that of notebook 05 has 532.",
            # ko: f"d_model 8, 헤드 2개, ff_dim 12일 때 EncoderBlock의 파라미터가 {layer.count_params()}개입니다. 5번 노트북의 블록은 532개입니다.",
        )
        changed = np.concatenate([x[:, :3], x[:, 3:] + 1 + rng.normal(size=(2, 3, 8)).astype("float32")], axis=1)
        moved = np.abs(to_numpy(layer(changed, mask=ahead)) - before)[:, :3].max()
        check.true(
            moved < 1e-4,
            "EncoderBlock: under a look-ahead mask no output sees a later input",
            # ko: "EncoderBlock: 룩어헤드 마스크를 쓰면 어느 출력도 뒤의 입력을 보지 않는다",
            "EncoderBlock: under a look-ahead mask earlier outputs move with later inputs: a GPT of it would read its answers.",
            # ko: "EncoderBlock: 룩어헤드 마스크를 써도 앞의 출력이 뒤의 입력에 따라 움직입니다. 이것으로 만든 GPT는 답을 읽게 됩니다.",
        )

    def together():
        embed, layer = TokenEmbedding(11, 8, 9, dropout=0.0), EncoderBlock(8, 2, 12, dropout=0.0)
        check.compiles(lambda ids: layer(embed(ids), mask=create_decoder_mask(ids)), ids, required=False)

    parts = {
        "LearnedPositionalEmbedding": learned_positions,
        "TokenEmbedding": embedding,
        "create_padding_mask, create_decoder_mask": masks,
        "EncoderBlock": block,
        "TokenEmbedding, EncoderBlock, create_decoder_mask": together,
    }
    for names, part in parts.items():
        try:
            part()
        except (NotImplementedError, NameError) as error:
            if isinstance(error, NotImplementedError) and not _is_stub(error):
                raise
            missing = re.findall(r"name\s'(\w+)'\sis\snot\sdefined", str(error))
            if missing and missing[0] not in names.split(", "):
                check._fail(
                    f"{names}: {missing[0]} is used and isn't there. Bring along what your classes call, too, or leave out a class that you don't use."
                    # ko: f"{names}: {missing[0]}이(가) 쓰이는데 없습니다. 클래스가 부르는 것도 함께 붙여 넣거나, 쓰지 않는 클래스는 빼세요."
                )
            check.notes.append(f"still a stub, and left out: {names}. Fine, as long as you don't use it.")
            # ko: check.notes.append(f"아직 비어 있어 건너뜁니다: {names}. 쓰지 않는다면 괜찮습니다.")
_check

# %% [markdown]
# ## Task 1: what BERT is asked (4 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# To ask about a word, hide it. Devlin et al. (2019, section 3.1) choose 15 % of the token positions at random. Here each
# token that isn't padding, `<bos>` and `<eos>` too, is taken with a probability of 15 %, by itself (so a row may have none, or many);
# these tokens are **selected**. The loss is taken at selected tokens and nowhere else. What the model reads in their places:
#
# | share of the selected | it reads | why |
# |---|---|---|
# | 80 % | `<mask>` | a gap to fill |
# | 10 % | a random token of the vocabulary | it must not trust what it reads |
# | 10 % | the token itself | it must say something about tokens that are there, too |
#
# In use there are no `<mask>` tokens. A model that has only ever answered at `<mask>` would have nothing to say about an
# ordinary sentence. With the last two rows it can't simply trust the token that it reads.
#
# The three are drawn for each selected token by itself, with `rng`, a `numpy.random.Generator`
# (`numpy.random.default_rng(seed)`; it has `random` and `integers`, not `rand` and `randint`): the same seed gives the same answer. What comes in is not changed.
#
# <details><summary>Hint 1: How is a token selected with 15 %?</summary>
#
# `rng.random(token_ids.shape)` gives each token a number of its own between 0 and 1. It is below `rate` with just that probability.
# Padding is never selected.
#
# </details>
#
# <details><summary>Hint 2: How is its fate decided?</summary>
#
# By a second draw for each token: below 0.8, from there to 0.9, or above. Two nested `np.where` choose among the mask, a random id
# (`rng.integers`) and the id itself.
#
# </details>
#
# <details><summary>Hint 3: What must stay unchanged?</summary>
#
# Tokens that aren't selected, and the array that came in: `np.where` makes a new one, an assignment to `token_ids[...]` doesn't.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: BERT에게 낼 문제 (4점)
#
# *난이도 2/5, 20분쯤.*
#
# 단어를 물으려면 그 단어를 가리면 됩니다. Devlin et al.(2019, 3.1절)은 토큰 위치의 15%를 무작위로 고릅니다. 여기서는 `<bos>`와
# `<eos>`까지 포함해 패딩(padding)이 아닌 토큰을 하나하나 따로 15%의 확률로 고릅니다(그러니 한 행에서 하나도 고르지 않거나 많이 고를 수도 있습니다). 이렇게 **고른**(selected) 토큰에서만 손실(loss)을
# 잽니다. 그 자리에서 모델은 다음과 같은 토큰을 읽습니다.
#
# | 고른 토큰 가운데 | 읽는 것 | 까닭 |
# |---|---|---|
# | 80% | `<mask>` | 채워야 할 빈칸 |
# | 10% | 어휘(vocabulary)에서 무작위로 뽑은 토큰 | 읽은 토큰을 그대로 믿어서는 안 된다 |
# | 10% | 그 토큰 자신 | 멀쩡히 있는 토큰에 대해서도 말할 수 있어야 한다 |
#
# 실제로 쓸 때는 `<mask>` 토큰이 없습니다. `<mask>`에서만 답해 본 모델은 보통의 문장에 대해 할 말이 없을 것입니다. 표의 아래 두 줄이 있으므로
# 모델은 읽은 토큰을 그대로 믿을 수 없습니다.
#
# 셋 가운데 무엇이 될지는 고른 토큰마다 따로 `rng`로 뽑습니다. `rng`는 `numpy.random.Generator`(`numpy.random.default_rng(seed)`)이고, `rand`와 `randint`가 아니라 `random`과 `integers`를 씁니다.
# 시드(seed)가 같으면 답도 같습니다. 받은 배열은 바꾸지 않습니다.
#
# <details><summary>힌트 1: 토큰을 15%로 고르려면?</summary>
#
# `rng.random(token_ids.shape)`은 토큰마다 0과 1 사이의 수를 하나씩 줍니다. 그 수가 `rate`보다 작을 확률이 바로 그만큼입니다. 패딩은
# 고르지 않습니다.
#
# </details>
#
# <details><summary>힌트 2: 그 토큰은 무엇이 될까요?</summary>
#
# 토큰마다 수를 한 번 더 뽑습니다. 0.8 미만인지, 0.8 이상 0.9 미만인지, 0.9 이상인지에 따라 `np.where` 둘을 겹쳐 마스크, 무작위 ID
# (`rng.integers`), 원래 ID 가운데서 고르세요.
#
# </details>
#
# <details><summary>힌트 3: 바뀌면 안 되는 것은?</summary>
#
# 고르지 않은 토큰, 그리고 받은 배열입니다. `np.where`는 새 배열을 만들지만 `token_ids[...]`에 대입하면 받은 배열이 바뀝니다.
#
# </details>


# %% task="mask-tokens"
def mask_tokens(token_ids, rng, vocab_size, mask_id, rate=0.15):
    """
    Select tokens and hide most of them (Devlin et al. 2019, section 3.1).
    # ko: 토큰을 고르고 그 대부분을 가립니다(Devlin et al. 2019, 3.1절).

    Args:
    # ko: 인수:
        token_ids: (batch, seq_len), integers; 0 is padding. Not changed.
        # ko: token_ids: (batch, seq_len), 정수. 0은 패딩입니다. 바꾸지 않습니다.
        rng: a numpy.random.Generator; all that is random comes from it.
        # ko: rng: numpy.random.Generator. 무작위인 것은 모두 여기서 나옵니다.
        vocab_size: number of ids, mask_id included; random tokens are drawn evenly from them; whether special ids are among these is up to you.
        # ko: vocab_size: mask_id를 포함한 ID의 수. 무작위 토큰은 여기서 고르게 뽑습니다. 특수 ID는 넣어도 빼도 됩니다.
        mask_id: the id that stands for a hidden token.
        # ko: mask_id: 가린 토큰을 나타내는 ID.
        rate: probability of each token that isn't padding to be selected.
        # ko: rate: 패딩이 아닌 토큰 하나가 골라질 확률.

    Returns:
    # ko: 반환값:
        inputs: (batch, seq_len), what the model reads: selected tokens by the rule of 80, 10 and 10 %.
        # ko: inputs: (batch, seq_len), 모델이 읽는 것. 고른 토큰은 80, 10, 10%의 규칙을 따릅니다.
        labels: (batch, seq_len), the original ids where `selected`; elsewhere nothing looks at them (0 is usual).
        # ko: labels: (batch, seq_len), `selected`인 곳에는 원래 ID. 다른 곳은 아무도 보지 않습니다(보통 0).
        selected: (batch, seq_len), True where a token is selected.
        # ko: selected: (batch, seq_len), 고른 토큰이면 True.
    """
    ### BEGIN SOLUTION
    token_ids = np.asarray(token_ids)
    selected = (rng.random(token_ids.shape) < rate) & (token_ids != PAD)
    fate = rng.random(token_ids.shape)
    random_tokens = rng.integers(UNK + 1, vocab_size - 1, token_ids.shape)  # ordinary tokens; the last id is the mask's
    random_tokens = np.where(random_tokens == mask_id, vocab_size - 1, random_tokens)
    instead = np.where(fate < 0.8, mask_id, np.where(fate < 0.9, random_tokens, token_ids))
    return np.where(selected, instead, token_ids), np.where(selected, token_ids, PAD), selected
    ### END SOLUTION


# %% grade="mask-tokens" points=4
@checking("mask_tokens")
def _check(check):
    ids = np.array([[1, 9, 7, 5, 2, 0, 0], [1, 8, 6, 2, 0, 0, 0]] * 500)
    before = ids.copy()
    answer = mask_tokens(ids, np.random.default_rng(1), 20, 19, rate=0.5)
    check.true(answer is not None, "it returns something", "it returned None. Is the `return` missing?")
    # ko: check.true(answer is not None, "무언가를 돌려준다", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    check.true(
        isinstance(answer, (tuple, list)) and len(answer) == 3,
        "it returns three arrays",
        # ko: "배열 셋을 돌려준다",
        "it should return three arrays: inputs, labels, selected.",
        # ko: "배열 세 개 inputs, labels, selected를 돌려주어야 합니다.",
    )
    inputs, labels, selected = (to_numpy(part) for part in answer)
    for name, part in (("inputs", inputs), ("labels", labels), ("selected", selected)):
        check.shape(part, ids.shape, f"{name} (batch, seq_len)")
    selected = selected.astype(bool)
    check.true((ids == before).all(), "what came in is unchanged", "it changed the array that it was given: work on a copy.")
    # ko: check.true((ids == before).all(), "받은 배열이 그대로다", "받은 배열을 바꾸었습니다. 복사해서 쓰세요.")
    check.true(not selected[ids == 0].any(), "padding is never selected", "padding is selected.")
    # ko: check.true(not selected[ids == 0].any(), "패딩은 고르지 않는다", "패딩을 골랐습니다.")
    check.true(
        (inputs[~selected] == ids[~selected]).all(),
        "what isn't selected stays",
        # ko: "고르지 않은 토큰은 그대로다",
        "`inputs` changes where `selected` is False. Are the choices of a `where` the wrong way round, or are tokens that become random ones not called selected?",
        # ko: "`selected`가 False인 자리의 `inputs`가 바뀌었습니다. `where`에서 고를 두 값의 순서가 바뀌었거나, 무작위 토큰으로 바꾼 토큰을 고른 토큰에 넣지 않은 것은 아닌가요?",
    )
    check.true(
        (labels[selected] == ids[selected]).all(),
        "the labels of selected tokens are the original ids",
        # ko: "고른 토큰의 라벨은 원래 ID다",
        "where a token is selected, its label should be the original id." + (" Is the order (inputs, labels, selected)?" if labels.dtype == bool else ""),
        # ko: "고른 자리의 라벨은 원래 ID여야 합니다." + (" 순서가 (inputs, labels, selected)인가요?" if labels.dtype == bool else ""),
    )
    fractions = inputs[inputs != np.round(inputs)]
    check.true(
        len(fractions) == 0,
        "all ids are whole numbers",
        # ko: "모든 ID가 정수다",
        f"{fractions[:1]} is in `inputs`, but ids are whole numbers.",
        # ko: f"`inputs`에 {fractions[:1]}이(가) 있습니다. ID는 정수여야 합니다.",
    )
    outside = inputs[(inputs < 0) | (inputs >= 20)]
    check.true(
        len(outside) == 0,
        "all ids are smaller than vocab_size",
        # ko: "모든 ID가 vocab_size보다 작다",
        f"the id {outside.max(initial=-1)} is in `inputs`, but with vocab_size 20 ids run from 0 to 19.",
        # ko: f"`inputs`에 ID {outside.max(initial=-1)}번이 있습니다. vocab_size가 20이면 ID는 0부터 19까지입니다.",
    )
    again_inputs, _, again_selected = (to_numpy(part) for part in mask_tokens(ids, np.random.default_rng(1), 20, 19, rate=0.5))
    check.true(
        (again_inputs == inputs).all() and (again_selected.astype(bool) == selected).all(),
        "the same seed gives the same answer",
        # ko: "시드가 같으면 답도 같다",
        "called twice with the same seed it gives two answers: everything random has to come from `rng`.",
        # ko: "시드가 같은데 두 번 부르면 답이 다릅니다. 무작위인 것은 모두 `rng`에서 나와야 합니다.",
    )
    share, is_special = selected[ids != 0].mean(), (ids == 1) | (ids == 2)
    leaves_out_special = not selected[is_special].any() and 0.4 < selected[ids > 2].mean() < 0.6
    check.true(
        0.4 < share < 0.6,
        "at rate 0.5 about half of the tokens are selected",
        # ko: "rate가 0.5이면 토큰의 절반쯤을 고른다",
        f"at rate 0.5 a share of {share:.2f} of the tokens is selected. "
        # ko: f"rate가 0.5인데 고른 토큰의 비율이 {share:.2f}입니다. "
        + ("`<bos>` and `<eos>` are tokens, too." if leaves_out_special else "Is `rate` used, and is each token of each row drawn by itself?"),
        # ko: + ("`<bos>`와 `<eos>`도 토큰입니다." if leaves_out_special else "`rate`를 쓰나요? 행마다, 토큰마다 따로 뽑나요?"),
    )
    of_row = selected[::2, :5].sum(axis=1)  # 500 rows of five tokens
    # ko: of_row = selected[::2, :5].sum(axis=1)  # 토큰이 다섯 개인 행 500개
    check.true(
        of_row.var() < 2.2,
        "the tokens of a row aren't selected all together",
        # ko: "한 행의 토큰을 통째로 고르지 않는다",
        "of most rows (nearly) all tokens are selected, or (nearly) none: select each token by itself.",
        # ko: "대부분의 행에서 토큰을 (거의) 모두 골랐거나 (거의) 고르지 않았습니다. 토큰마다 따로 고르세요.",
    )
    check.true(
        len(np.unique(selected[::2, :5], axis=0)) > 5,
        "not the same places in every row",
        # ko: "고른 자리가 행마다 같지는 않다",
        "in (nearly) all rows the same places are selected: draw for each row anew.",
        # ko: "(거의) 모든 행에서 같은 자리를 골랐습니다. 행마다 새로 뽑으세요.",
    )
    _, _, fewer = mask_tokens(ids, np.random.default_rng(1), 20, 19, rate=0.25)
    share = to_numpy(fewer)[ids != 0].mean()
    check.true(
        0.15 < share < 0.35,
        "at rate 0.25 about a quarter",
        # ko: "rate가 0.25이면 4분의 1쯤을 고른다",
        f"at rate 0.25 a share of {share:.2f} of the tokens is selected. Is `rate` used, or is the comparison with it the wrong way round?",
        # ko: f"rate가 0.25인데 고른 토큰의 비율이 {share:.2f}입니다. `rate`를 쓰나요? `rate`와 비교하는 부등호가 거꾸로 되지 않았나요?",
    )
    if of_row.min() == of_row.max():
        check.note(f"in each of 500 rows of five tokens exactly {of_row[0]} are selected. The text asks to select every token of every row by itself.")
        # ko: check.note(f"토큰이 다섯 개인 행 500개에서 고른 토큰의 수가 모두 {of_row[0]}입니다. 설명대로라면 행마다, 토큰마다 따로 골라야 합니다.")
    hidden = (inputs[selected] == 19).mean()
    check.true(
        0.7 < hidden < 0.9,
        "about 80 % of them read as the mask",
        # ko: "그 가운데 80%쯤이 마스크로 읽힌다",
        f"a share of {hidden:.2f} of the selected tokens reads as the mask, not about 0.8. Is it drawn for each token by itself, by a draw of its own? "
        # ko: f"고른 토큰 가운데 마스크로 읽히는 비율이 {hidden:.2f}입니다. 0.8쯤이어야 합니다. 토큰마다 따로, 고를 때와는 다른 수를 새로 뽑나요? "
        + ("Is the mask written over later, or written into a copy, as `a[b][c] = …` does?" if hidden < 0.2 else "Those that are exchanged or kept are selected, too."),
        # ko: + ("써 넣은 마스크를 나중에 덮어쓰거나, `a[b][c] = …`처럼 복사본에 쓰지 않나요?" if hidden < 0.2 else "다른 토큰으로 바꾸거나 그대로 둔 토큰도 고른 토큰입니다."),
    )
    kept = (inputs[selected] == ids[selected]).mean()
    check.true(
        0.05 < kept < 0.17,
        "about 10 % of them read as themselves, and about 10 % as a random token",
        # ko: "10%쯤은 자기 자신으로, 10%쯤은 무작위 토큰으로 읽힌다",
        f"a share of {kept:.2f} of the selected tokens reads as itself, not about 0.1, and {1 - hidden - kept:.2f} as another token, not about 0.1. Are 0.8 and 0.9 compared with the same number?",
        # ko: f"고른 토큰 가운데 자기 자신으로 읽히는 비율은 {kept:.2f}, 다른 토큰으로 읽히는 비율은 {1 - hidden - kept:.2f}입니다. 둘 다 0.1쯤이어야 합니다. 0.8과 0.9를 같은 수와 비교하나요?",
    )
    is_mask = selected & (inputs == 19)
    check.true(
        (is_mask.any(axis=1) & (selected & ~is_mask).any(axis=1)).mean() > 0.1,
        "selected tokens of one row have different fates",
        # ko: "한 행에서 고른 토큰이라도 서로 다르게 바뀐다",
        "in (nearly) every row all selected tokens read as the mask, or none of them does: draw for each token by itself.",
        # ko: "(거의 모든) 행에서 고른 토큰이 모두 마스크로 읽히거나 하나도 그렇지 않습니다. 토큰마다 따로 뽑으세요.",
    )
    inputs, _, others = (to_numpy(part) for part in mask_tokens(ids, np.random.default_rng(2), 20, 4, rate=0.5))
    check.true(
        (others.astype(bool) != selected).any(),
        "another seed gives another answer",
        # ko: "시드가 다르면 답도 다르다",
        "called with another seed it selects the same tokens: is `rng` used, or one that is made inside?",
        # ko: "시드가 다른데 같은 토큰을 고릅니다. `rng`를 쓰지 않고 안에서 새로 만들지 않았나요?",
    )
    check.true(
        0.7 < (inputs[others.astype(bool)] == 4).mean() < 0.9,
        "with mask_id 4 about 80 % read as 4",
        # ko: "mask_id가 4이면 80%쯤이 4로 읽힌다",
        f"with mask_id 4 a share of {(inputs[others.astype(bool)] == 4).mean():.2f} of the selected tokens reads as 4, not about 0.8: is the argument `mask_id` used?",
        # ko: f"mask_id가 4인데 고른 토큰 가운데 4로 읽히는 비율이 {(inputs[others.astype(bool)] == 4).mean():.2f}입니다. 0.8쯤이어야 합니다. 인수 `mask_id`를 쓰나요?",
    )
    are_random = others.astype(bool) & (inputs != 4) & (inputs != ids)
    random_ids = np.unique(inputs[are_random])
    of_rows = [row[chosen] for row, chosen in zip(inputs, are_random, strict=True) if chosen.sum() > 1]
    check.true(
        any(np.ptp(row) for row in of_rows) or not of_rows,
        "random tokens of one row differ",
        # ko: "한 행의 무작위 토큰도 서로 다르다",
        "all random tokens of a row are the same: draw one for each place.",
        # ko: "한 행의 무작위 토큰이 모두 같습니다. 자리마다 하나씩 뽑으세요.",
    )
    check.true(
        len(random_ids) >= 10,
        "random tokens are drawn for each place",
        # ko: "무작위 토큰은 자리마다 뽑는다",
        f"the random tokens of 1000 rows are only {random_ids.tolist()}: draw one for each place, from all ids.",
        # ko: f"1000개 행의 무작위 토큰이 {random_ids.tolist()}뿐입니다. 자리마다 모든 ID 가운데서 하나씩 뽑으세요.",
    )
    check.true(
        19 in random_ids,
        "the last id is drawn too where the mask's is another",
        # ko: "마스크의 ID가 다른 것이면 마지막 ID도 뽑는다",
        "with mask_id 4 and vocab_size 20 the id 19 is never drawn: the mask's id needn't be the last one.",
        # ko: "mask_id가 4이고 vocab_size가 20일 때 ID 19를 한 번도 뽑지 않습니다. 마스크의 ID가 마지막이라는 법은 없습니다.",
    )
_check

# %% [markdown]
# Five questions about the line of 320,457, and what became of the selected tokens of all training lines. A white field is a
# token that isn't selected.
#
# <!-- ko -->
# 320,457의 줄에 대해 낸 문제 다섯 개와, 학습할 줄 전체에서 고른 토큰이 어떻게 되었는지를 그렸습니다. 흰 칸은 고르지 않은 토큰입니다.

# %%
@demonstrate
def _demo():
    asked_line = to_lines([320_457])
    asked_len = int((asked_line != PAD).sum())
    asked = np.repeat(asked_line[:, :asked_len], 5, axis=0)
    reads, _, chosen = (to_numpy(part) for part in mask_tokens(asked, np.random.default_rng(6), VOCAB_SIZE, MASK, rate=0.25))
    COLOURS = {"mask": "#3d4a5c", "random": "#c65d3b", "kept": "#8aa37b"}
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 3), width_ratios=(4, 1), layout="constrained")
    left.set(xlim=(-0.5, asked_len - 0.5), ylim=(4.5, -0.5), xticks=[], yticks=range(5), ylabel="question")
    # ko: left.set(xlim=(-0.5, asked_len - 0.5), ylim=(4.5, -0.5), xticks=[], yticks=range(5), ylabel="문제 (question)")
    left.set_title("what the model reads; coloured: selected (25 % here)")
    # ko: left.set_title("모델이 읽는 것. 색칠한 칸이 고른 토큰 (여기서는 25%)")
    for (i, j), token in np.ndenumerate(reads):
        fate = "mask" if token == MASK else "kept" if token == asked[i, j] else "random"
        if chosen[i, j]:
            left.add_patch(plt.Rectangle((j - 0.5, i - 0.5), 1, 1, color=COLOURS[fate]))
        label = token_labels([token])[0].strip("<>")
        left.text(j, i, label, ha="center", va="center", fontsize=7, color="white" if chosen[i, j] else "black")
    reads, _, chosen = (to_numpy(part) for part in mask_tokens(train_lines, np.random.default_rng(6), VOCAB_SIZE, MASK))
    chosen = chosen.astype(bool)
    shares = {"mask": (reads == MASK)[chosen].mean(), "kept": (reads == train_lines)[chosen].mean()}
    shares["random"] = 1 - sum(shares.values())
    names = list(COLOURS)
    right.bar(names, [shares[name] for name in names], color=list(COLOURS.values()))
    right.set(title=f"{chosen[train_lines != PAD].mean():.1%} selected", ylabel="share", ylim=(0, 1))
    # ko: right.set(title=f"고른 비율 {chosen[train_lines != PAD].mean():.1%} (selected)", ylabel="비율 (share)", ylim=(0, 1))
    plt.show()

# %% [markdown]
# ## Task 2: the model that fills in (4 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# ```
#    token_ids (batch, seq_len)
#         |
#    token embedding + positions, dropout
#         |
#    num_layers x encoder block       hides: padding. Nothing else: both sides are seen. Dropout inside, same rate
#         |
#    LayerNormalization               (pre-norm blocks leave an unnormalised sum)
#         |
#    Dense(vocab_size)                logits for every position
# ```
#
# It is the encoder of notebook 06 with an output of its own. (The real BERT and the first GPT are post-norm and have GELU in place of
# ReLU. That counts as right here, too.) Each block has one attention and one feed-forward network with ReLU, both with biases, each
# with its residual connection and normalisation, each head with `d_model // num_heads` features. There is no softmax at the end.
#
# **Positions.** The paper's table is fixed; BERT and GPT both learn theirs, as `LearnedPositionalEmbedding` does. With
# `learned_positions=True` the model has a trainable table `(max_len, d_model)` **instead of** the sinusoidal one (so `TokenEmbedding`, which
# adds that, is of no use there). Multiply the embedding by the root of `d_model` or don't, as you like: BERT doesn't, and both count as right. Below you compare the two kinds of positions, fixed and learned. In the paper's comparison (notebook 01) they came out almost alike; in so short a training the learned ones may lag behind.
#
# <details><summary>Hint 1: What is there already?</summary>
#
# `TokenEmbedding`, `EncoderBlock` and `create_padding_mask` from the carry-over cell: half of notebook 06's model. New are the last
# normalisation and the `Dense` on top.
#
# </details>
#
# <details><summary>Hint 2: With learned positions</summary>
#
# `keras.layers.Embedding`, then `LearnedPositionalEmbedding(max_len, d_model)`, then a dropout of the same rate: in the plan above
# only the positions are others. One small layer that does all three keeps the rest the same for both.
#
# </details>
#
# <details><summary>Hint 3: What does the function return?</summary>
#
# A `keras.Model`. A subclass of it has its weights once it has been called: you may do that, with ids of the shape (1, max_len), before you return it.
#
# </details>
#
# <!-- ko -->
# ## 과제 2: 빈칸을 채우는 모델 (4점)
#
# *난이도 3/5, 40분쯤.*
#
# ```
#    token_ids (batch, seq_len)
#         |
#    토큰 임베딩 + 위치, 드롭아웃
#         |
#    num_layers x 인코더 블록         가리는 것: 패딩뿐. 양쪽을 다 본다. 안에 같은 비율의 드롭아웃
#         |
#    LayerNormalization               (사전 정규화 블록이 내놓는 것은 정규화되지 않은 합)
#         |
#    Dense(vocab_size)                위치마다의 로짓(logits)
# ```
#
# 6번 노트북의 인코더에 출력층을 붙인 것입니다. (실제 BERT와 첫 GPT는 사후 정규화를 쓰고 ReLU 대신 GELU를 씁니다. 여기서는 그것도 맞습니다.) 블록마다 편향이 있는 어텐션(attention) 하나와
# ReLU를 쓰는 피드포워드 신경망(feed-forward network) 하나가 있고, 각각 잔차 연결(residual connection)과 정규화(normalisation)가 있으며, 헤드(head)마다 특징이 `d_model // num_heads`개입니다. 끝에
# 소프트맥스(softmax)는 없습니다.
#
# **위치.** 논문의 표는 고정되어 있지만, BERT와 GPT는 `LearnedPositionalEmbedding`처럼 학습합니다. `learned_positions=True`이면 모델에
# 사인과 코사인으로 된 표 **대신** 학습되는 표 `(max_len, d_model)`이 있습니다(사인과 코사인의 표를 더하는 `TokenEmbedding`은 이때 쓸 수 없습니다). 임베딩에는 `d_model`의 제곱근을 곱해도 되고 곱하지 않아도 됩니다. BERT는 곱하지 않습니다. 둘 다
# 맞습니다. 아래에서 고정된 위치와 학습되는
# 위치를 견주어 봅니다. 논문의 비교(1번 노트북)에서는 결과가 거의 같았습니다. 이렇게 짧은 학습에서는 학습되는 위치가 뒤질 수 있습니다.
#
# <details><summary>힌트 1: 이미 있는 것은?</summary>
#
# "앞에서 만든 코드" 셀의 `TokenEmbedding`, `EncoderBlock`, `create_padding_mask`, 곧 6번 노트북 모델의 절반입니다. 마지막 정규화와 그 위의
# `Dense`만 새로 만듭니다.
#
# </details>
#
# <details><summary>힌트 2: 학습되는 위치를 쓸 때</summary>
#
# `keras.layers.Embedding`, `LearnedPositionalEmbedding(max_len, d_model)`, 비율이 같은 드롭아웃 순서입니다. 위 그림의
# ‘위치’만 학습되는 표로 바뀝니다. 이 셋을 차례로 하는 작은 계층을 만들면 나머지는 두 경우가 같습니다.
#
# </details>
#
# <details><summary>힌트 3: 함수는 무엇을 돌려줄까요?</summary>
#
# `keras.Model`입니다. 그 서브클래스에는 한 번 불러야 가중치가 생깁니다. 돌려주기 전에 모양이 (1, max_len)인 ID로 한 번 불러 두어도 좋습니다.
#
# </details>


# %% task="encoder-only" builds_on="carry-over"
def build_encoder_lm(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False
):
    """
    Build the encoder with an output over the vocabulary; every position sees all tokens but padding.
    # ko: 어휘에 대한 로짓을 내놓는 인코더를 만듭니다. 모든 위치가 패딩을 뺀 모든 토큰을 봅니다.

    Args:
    # ko: 인수:
        vocab_size: number of token ids; 0 is padding.
        # ko: vocab_size: 토큰 ID의 수. 0은 패딩입니다.
        max_len: longest sequence.
        # ko: max_len: 가장 긴 시퀀스의 길이.
        num_layers: number of blocks.
        # ko: num_layers: 블록의 수.
        d_model: width of the model; num_heads divides it.
        # ko: d_model: 모델의 너비. num_heads로 나누어떨어집니다.
        num_heads: heads of each attention.
        # ko: num_heads: 어텐션 하나의 헤드 수.
        ff_dim: width inside the feed-forward network.
        # ko: ff_dim: 피드포워드 신경망 안쪽의 너비.
        dropout: rate, in training.
        # ko: dropout: 학습할 때의 드롭아웃 비율.
        learned_positions: a trainable table of positions instead of the sinusoidal one.
        # ko: learned_positions: 참이면 사인과 코사인으로 된 표 대신 학습되는 위치의 표를 씁니다.

    Returns:
    # ko: 반환값:
        A keras.Model: token_ids (batch, seq_len) -> logits (batch, seq_len, vocab_size).
        # ko: keras.Model: token_ids (batch, seq_len) -> 로짓 (batch, seq_len, vocab_size).
    """
    ### BEGIN SOLUTION
    model = EncoderLM(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions)
    model(np.ones((1, max_len), "int32"))  # now it has its weights
    return model


class LearnedTokenEmbedding(keras.layers.Layer):
    """Token embedding plus learned positions, then dropout."""

    def __init__(self, vocab_size, d_model, max_len, dropout, **kwargs):
        super().__init__(**kwargs)
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = LearnedPositionalEmbedding(max_len, d_model)
        self.dropout = keras.layers.Dropout(dropout)

    def call(self, token_ids, training=False):
        return self.dropout(self.positions(self.embedding(token_ids)), training=training)


class EncoderLM(keras.Model):
    """See `build_encoder_lm`."""

    def __init__(self, vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned, **kwargs):
        super().__init__(**kwargs)
        embedding = LearnedTokenEmbedding if learned else TokenEmbedding
        self.embed = embedding(vocab_size, d_model, max_len, dropout)
        self.blocks = [EncoderBlock(d_model, num_heads, ff_dim, dropout) for _ in range(num_layers)]
        self.norm = keras.layers.LayerNormalization(epsilon=1e-6)
        self.output_dense = keras.layers.Dense(vocab_size)

    def hidden(self, token_ids):
        """Say which keys are hidden from which queries."""
        return create_padding_mask(token_ids)

    def call(self, token_ids):
        mask = self.hidden(token_ids)
        x = self.embed(token_ids)
        for block in self.blocks:
            x = block(x, mask=mask)
        return self.output_dense(self.norm(x))
        ### END SOLUTION


# %% grade="encoder-only" points=4
@checking("build_encoder_lm")
def _check(check):
    keras.utils.set_random_seed(3)
    small = build_encoder_lm(11, 9, 2, 8, 2, 12)
    check.true(small is not None, "it returns a model", "it returned None. Is the `return` missing?")
    # ko: check.true(small is not None, "모델을 돌려준다", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    is_model = callable(small) and not inspect.isclass(small)
    check.true(is_model, "which takes ids", "it should return the model, not its output or its class.")
    # ko: check.true(is_model, "모델은 ID를 받는다", "모델의 출력이나 클래스가 아니라 모델을 돌려주어야 합니다.")
    ids = np.array([[5, 7, 3, 9, 4, 0, 0], [8, 3, 10, 0, 0, 0, 0]], dtype="int32")
    check.shape(small(ids), (2, 7, 11), "(batch, seq_len, vocab_size)")
    with_random_weights(small)
    logits = to_numpy(small(ids))
    check.close(
        small(ids),
        logits,
        "called twice, the same logits",
        # ko: "두 번 불러도 같은 로짓",
        otherwise="The second call gives others. Is `training=True` written into the code, or is a layer made inside `call`, with new weights each time?",
        # ko: otherwise="두 번째 호출의 로짓이 다릅니다. 코드에 `training=True`를 적어 두었나요? 아니면 계층을 `call` 안에서 만들어 부를 때마다 가중치가 새로 생기나요?",
    )
    check.gives_logits(logits)
    seen = influence(small, np.array([5, 7, 3, 9, 4], dtype="int32"), np.array([6, 6, 6, 6, 6]))
    check.true(
        (seen > 1e-5).all(),
        "every position sees every token, before and after it",
        # ko: "모든 위치가 앞뒤의 모든 토큰을 본다",
        "some position doesn't see some token. Only padding is hidden in an encoder. A mask of notebook 04 is 1 at padding and 0 at tokens; Keras's attention_mask is the other way round. Or have arguments changed places, such as `d_model` and `num_layers`?",
        # ko: "어떤 위치가 어떤 토큰을 보지 못합니다. 인코더에서는 패딩만 가립니다. 4번 노트북의 마스크는 패딩에서 1, 토큰에서 0이고, 케라스의 attention_mask는 반대입니다. 아니면 `d_model`과 `num_layers` 같은 인수의 순서가 바뀌지 않았나요?",
    )
    check.close(
        to_numpy(small(np.pad(ids, ((0, 0), (0, 2)))))[0, :5],
        logits[0, :5],
        "more padding changes nothing",
        # ko: "패딩을 더 붙여도 그대로다",
        otherwise="Padding that is appended moves the logits. Is it hidden? A mask of notebook 04 is 1 at padding and 0 at tokens; Keras's attention_mask is the other way round.",
        # ko: otherwise="뒤에 붙인 패딩이 로짓을 움직입니다. 패딩을 가리나요? 4번 노트북의 마스크는 패딩에서 1, 토큰에서 0이고, 케라스의 attention_mask는 반대입니다.",
    )
    in_front = np.array([[0, 0, 5, 7, 3]], dtype="int32")
    before = to_numpy(small(in_front))[:, 2:, 1:]
    for table in [weight for weight in small.trainable_weights if tuple(weight.shape) == (11, 8)]:
        table.assign(to_numpy(table) + (np.arange(11) == 0)[:, None] * np.linspace(-2, 2, 8) ** 3)  # another vector for id 0
        # ko: table.assign(to_numpy(table) + (np.arange(11) == 0)[:, None] * np.linspace(-2, 2, 8) ** 3)  # ID 0에 다른 벡터를 줍니다
    check.close(
        to_numpy(small(in_front))[:, 2:, 1:],
        before,
        "padding in front is hidden as well",
        # ko: "앞에 놓인 패딩도 가린다",
        otherwise="The vector of padding, which stands in front here, reaches the tokens behind it.",
        # ko: otherwise="여기서는 앞에 놓인 패딩의 벡터가 뒤의 토큰에 영향을 줍니다.",
    )
    _check_parts(check, build_encoder_lm)
    _check_learned_positions(check, build_encoder_lm)
    learned = build_encoder_lm(11, 9, 1, 8, 2, 12, learned_positions=True)
    learned(ids)  # now it has its weights
    # ko: learned(ids)  # 이제 가중치가 생겼습니다
    check.compiles(lambda ids: (small(ids), learned(ids)), ids, required=False)
_check

# %% [markdown]
# Now train it. The loss of notebook 07 serves both models of this notebook: cross-entropy at positions whose label
# isn't 0. For BERT these are the selected tokens. In every epoch the same lines are asked about anew. The learning rate
# warms up and comes down, as there. (Once for each kind of positions; a minute or two each on two
# processor cores.)
#
# <!-- ko -->
# 이제 학습시켜 봅시다. 7번 노트북의 손실 하나면 이 노트북의 두 모델에 모두 충분합니다. 라벨(label)이 0이 아닌 위치의 교차
# 엔트로피(cross-entropy)입니다. BERT에서는 고른 토큰의 위치입니다. 에폭(epoch)마다 같은 줄에 대해 새로 묻습니다. 학습률(learning
# rate)은 거기에서처럼 올랐다가 내려옵니다. (두 가지 위치 인코딩으로 한 번씩 합니다. 프로세서 코어 두
# 개로 한 번에 1~2분 걸립니다.)

# %% locked="training"
MLM_EPOCHS, LM_EPOCHS = 8, 3


class History(keras.callbacks.Callback):
    """Keeps the loss, a mean over each 20 updates, and prints how far the training is."""
    # ko: """업데이트 20번마다의 평균 손실을 모으고 학습이 어디까지 왔는지 알려 줍니다."""

    def on_train_begin(self, logs=None):
        self.began, self.losses, self.sum = time.time(), [], 0.0

    def on_train_batch_end(self, batch, logs=None):
        # Keras tells the mean since the beginning: the sum of 20 updates is a difference of sums
        # ko: # 케라스는 처음부터의 평균을 알려 줍니다. 업데이트 20번의 합은 합의 차이입니다
        if (batch + 1) % 20 == 0:
            total = float(logs["loss"]) * (batch + 1)
            self.losses.append((total - self.sum) / 20)
            self.sum = total
            print(f"\rupdate {batch + 1} of {self.params['steps']}, loss {self.losses[-1]:.3f} ", end="", flush=True)
            # ko: print(f"\r업데이트 {batch + 1} / {self.params['steps']}, 손실 {self.losses[-1]:.3f} ", end="", flush=True)

    def on_train_end(self, logs=None):
        print(f"\ndone in {time.time() - self.began:.0f} s")
        # ko: print(f"\n{time.time() - self.began:.0f}초 걸렸습니다")


def fit(model, inputs, labels, peak=3e-3, batch_size=128):
    """Train on every row once, in order, with warm-up and cosine decay; return the losses."""
    # ko: """모든 행을 차례로 한 번씩 웜업과 코사인 감쇠로 학습하고 손실들을 돌려줍니다."""
    updates = -(-len(inputs) // batch_size)
    warmup = updates // 10
    rate = keras.optimizers.schedules.CosineDecay(0.0, updates - warmup, warmup_target=peak, warmup_steps=warmup)
    # the mean over the labels that aren't 0, as in notebook 07
    # ko: # 0이 아닌 라벨에 대한 평균입니다. 7번 노트북과 같습니다
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=0)
    model.compile(keras.optimizers.Adam(rate, beta_2=0.98, epsilon=1e-9), loss)
    history = History()
    model.fit(inputs, labels, batch_size=batch_size, epochs=1, shuffle=False, verbose=0, callbacks=[history])
    return history.losses


def epochs_of(rows, count, seed):
    """Return the rows `count` times, each time in another order."""
    # ko: """행들을 `count`번, 번번이 다른 순서로 늘어놓아 돌려줍니다."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rows[rng.permutation(len(rows))] for _ in range(count)])


# %%
@demonstrate
def _demo():
    global _encoders
    _encoders = None
    del _encoders  # there are none before the training has ended
    # ko: del _encoders  # 학습이 끝나기 전에는 없습니다

    def questions_about(rows, seed):
        """Ask about rows with your `mask_tokens`: inputs, labels that are 0 where nothing is asked, selected."""
        # ko: """여러분의 `mask_tokens`로 행들에 대해 묻습니다: 입력, 묻지 않는 곳은 0인 라벨, 고른 곳."""
        inputs, labels, selected = (to_numpy(part) for part in mask_tokens(rows, np.random.default_rng(seed), VOCAB_SIZE, MASK))
        return inputs.astype("int32"), np.where(selected, labels, 0).astype("int32"), selected.astype(bool)

    trained, encoder_losses = {}, {}
    if BEING_GRADED:
        _encoders = {}
    else:
        for name, learned in (("sinusoidal", False), ("learned", True)):
        # ko: for name, learned in (("고정 (sinusoidal)", False), ("학습 (learned)", True)):
            keras.utils.set_random_seed(1)
            trained[name] = build_encoder_lm(VOCAB_SIZE, LINE_LEN, 2, 64, 4, 128, 0.0, learned)
            inputs, labels, _ = questions_about(epochs_of(train_lines, MLM_EPOCHS, seed=1), seed=2)
            encoder_losses[name] = fit(trained[name], inputs, labels)
            _encoders = trained

        asked, labels, selected = questions_about(test_lines, seed=3)
        figure, (left, right) = plt.subplots(1, 2, figsize=(12, 3.4), layout="constrained")
        kinds = {
            "hidden": asked == MASK,
            # ko: "가림 (hidden)": asked == MASK,
            "random": selected & (asked != MASK) & (asked != test_lines),
            # ko: "무작위 (random)": selected & (asked != MASK) & (asked != test_lines),
            "kept": selected & (asked == test_lines),
            # ko: "그대로 (kept)": selected & (asked == test_lines),
            "all selected": selected,
            # ko: "고른 것 모두 (all)": selected,
        }
        for number, (name, model) in enumerate(_encoders.items()):
            said = to_numpy(model.predict(asked, verbose=0)).argmax(axis=-1)
            right_share = [(said == test_lines)[kind].mean() for kind in kinds.values()]
            left.plot(20 * np.arange(len(encoder_losses[name])), encoder_losses[name], label=name)
            right.bar(np.arange(4) + 0.4 * number - 0.2, right_share, width=0.38, label=f"{name}: {right_share[-1]:.1%}")
            print(f"{name:12s} accuracy at selected tokens of held-out numbers {right_share[-1]:.3f}")
            # ko: print(f"{name:12s} 남겨 둔 수에서 고른 토큰의 정확도 {right_share[-1]:.3f}")
        left.set(title="loss in training", xlabel="update", yscale="log")
        # ko: left.set(title="학습 손실 (loss)", xlabel="업데이트 (update)", yscale="log")
        right.set(title="held-out numbers: share of selected tokens that are right", ylim=(0, 1.25), yticks=(0, 0.25, 0.5, 0.75, 1))
        # ko: right.set(title="남겨 둔 수: 고른 토큰 가운데 맞힌 비율 (share)", ylim=(0, 1.25), yticks=(0, 0.25, 0.5, 0.75, 1))
        right.set_xticks(range(4), kinds)
        left.legend()
        right.legend(loc="upper center", ncols=2)
        plt.show()

# %% [markdown]
# What does it think? A line with gaps, and for each gap the three likeliest tokens. Where both halves hide the same digit, here the
# last one, the line doesn't tell it, and a good model spreads its probability over the digits instead of being sure of one. That is
# also why the accuracy can't reach 100 %.
#
# <!-- ko -->
# 모델은 무슨 생각을 할까요? 빈칸이 있는 줄과, 빈칸마다 가장 그럴듯한 토큰 셋입니다. 여기서 마지막 숫자처럼 두 절반에서 같은 숫자를 모두 가리면 줄에는 그 숫자가
# 남아 있지 않고, 좋은 모델은 하나를 확신하는 대신 확률을 여러 숫자에 나누어 줍니다. 정확도(accuracy)가 100%가 될 수 없는 까닭도
# 이것입니다.

# %%
@demonstrate
def _demo():
    if _encoders:
        gapped = to_lines([320_457])
        asked_len = int((gapped != PAD).sum())
        gapped = gapped[:, :asked_len]
        gaps = [1, 6, 9, 12, 18]  # 9 and 18 are the two halves' last digit
        # ko: gaps = [1, 6, 9, 12, 18]  # 9와 18은 두 절반의 마지막 숫자
        gapped[0, gaps] = MASK
        probabilities = to_numpy(ops.softmax(list(_encoders.values())[0](gapped)))[0]
        figure, ax = plt.subplots(figsize=(13, 3), layout="constrained")
        bottom = np.zeros(asked_len)
        for rank, colour in enumerate(("#8a4b08", "#c99b5a", "#ead9bd")):
            best = np.argsort(probabilities, axis=-1)[:, -1 - rank]
            height = np.where(np.isin(np.arange(asked_len), gaps), probabilities[np.arange(asked_len), best], 0)
            ax.bar(range(asked_len), height, bottom=bottom, color=colour)
            for gap in gaps:
                if height[gap] > 0.07:
                    text = token_labels([best[gap]])[0]
                    ax.text(gap, bottom[gap] + height[gap] / 2, text, ha="center", va="center", fontsize=8, color="white" if rank == 0 else "black")
            bottom += height
        ax.set_xticks(range(asked_len), token_labels(gapped[0]), rotation=40, fontsize=9)
        ax.set(title="320 457 with gaps: the three likeliest tokens of each", ylabel="probability", ylim=(0, 1.02))
        # ko: ax.set(title="빈칸이 있는 320,457: 칸마다 가장 그럴듯한 토큰 셋", ylabel="확률 (probability)", ylim=(0, 1.02))
        plt.show()

# %% [markdown]
# ## Task 3: the model that goes on (4 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# GPT's block is called a decoder block, but there is no encoder to look at: what remains of notebook 05's decoder block
# without its attention over memory is an **encoder block under a look-ahead mask**. So the decoder language model is the
# model of task 2 with one difference: no position sees a later token. Padding stays hidden as well. (A class that both tasks use may
# stand in the cell of task 2: the grader keeps it for task 3 even if task 2 is wrong. But a mistake in the class itself is one in both models, and counts in both tasks.)
#
# One line then holds nearly as many examples as it has tokens: position $i$ has to say token $i + 1$.
#
# <details><summary>Hint 1: What is the one difference?</summary>
#
# The mask: `create_decoder_mask` hides the future and the padding. If the class of task 2 makes its mask in a method of its own, a
# subclass has that method to replace and nothing else. In a functional model make it inside a layer's `call`: outside, the length is still open (`None`).
#
# </details>
#
# <!-- ko -->
# ## 과제 3: 이어서 말하는 모델 (4점)
#
# *난이도 1/5, 10분쯤.*
#
# GPT의 블록은 디코더 블록이라고 불리지만 들여다볼 인코더가 없습니다. 5번 노트북의 디코더 블록에서 메모리(memory)를 보는 교차 어텐션(cross-attention)을
# 빼면 남는 것은 **룩어헤드 마스크(look-ahead mask)를 쓴 인코더 블록**입니다. 그래서 디코더 언어 모델(language model)은 과제 2의 모델과 한 가지만
# 다릅니다. 어느 위치도 뒤의 토큰을 보지 못합니다. 패딩도 여전히 가립니다. (두 과제에 함께 쓰는 클래스는 과제 2의 셀에 두어도 됩니다. 과제 2의
# 답이 틀려도 그 클래스는 과제 3에서 쓸 수 있습니다. 다만 그 클래스에 있는 잘못은 두 모델 모두의 잘못이라 두 과제에서 모두 깎입니다.)
#
# 그러면 한 줄에 거의 토큰 수만큼 예가 들어 있습니다. 위치 $i$는 토큰 $i + 1$을 말해야 합니다.
#
# <details><summary>힌트 1: 다른 점 하나는?</summary>
#
# 마스크입니다. `create_decoder_mask`는 미래와 패딩을 가립니다. 과제 2의 클래스가 마스크를 만드는 메서드를 따로 두었다면,
# 서브클래스에서 그 메서드만 바꾸면 됩니다. 함수형 모델에서는 마스크를 계층의 `call` 안에서 만드세요. 그 밖에서는 길이가 아직 정해지지 않았습니다(`None`).
#
# </details>


# %% task="decoder-only" builds_on="carry-over encoder-only"
def build_decoder_lm(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, learned_positions=False
):
    """
    Build the same model as `build_encoder_lm`, but causal: no position sees a later token, or padding.
    # ko: `build_encoder_lm`과 같지만 인과적인 모델을 만듭니다. 어느 위치도 뒤의 토큰과 패딩을 보지 못합니다.

    Args:
    # ko: 인수:
        vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions: as there.
        # ko: vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions: 거기와 같습니다.

    Returns:
    # ko: 반환값:
        A keras.Model: token_ids (batch, seq_len) -> logits of the next token (batch, seq_len, vocab_size).
        # ko: keras.Model: token_ids (batch, seq_len) -> 다음 토큰의 로짓 (batch, seq_len, vocab_size).
    """
    ### BEGIN SOLUTION
    model = DecoderLM(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout, learned_positions)
    model(np.ones((1, max_len), "int32"))
    return model


class DecoderLM(EncoderLM):
    """See `build_decoder_lm`."""

    def hidden(self, token_ids):
        return create_decoder_mask(token_ids)
        ### END SOLUTION


# %% grade="decoder-only" points=4
@checking("build_decoder_lm")
def _check(check):
    keras.utils.set_random_seed(3)
    small = build_decoder_lm(11, 9, 2, 8, 2, 12, dropout=0.0)
    check.true(small is not None, "it returns a model", "it returned None. Is the `return` missing?")
    # ko: check.true(small is not None, "모델을 돌려준다", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    is_model = callable(small) and not inspect.isclass(small)
    check.true(is_model, "which takes ids", "it should return the model, not its output or its class.")
    # ko: check.true(is_model, "모델은 ID를 받는다", "모델의 출력이나 클래스가 아니라 모델을 돌려주어야 합니다.")
    ids = np.array([[5, 7, 3, 9, 4, 0, 0], [8, 3, 10, 0, 0, 0, 0]], dtype="int32")
    check.shape(small(ids), (2, 7, 11), "(batch, seq_len, vocab_size)")
    with_random_weights(small)
    logits = to_numpy(small(ids))
    check.close(
        small(ids),
        logits,
        "called twice, the same logits",
        # ko: "두 번 불러도 같은 로짓",
        otherwise="The second call gives others. Is `training=True` written into the code, or is a layer made inside `call`, with new weights each time?",
        # ko: otherwise="두 번째 호출의 로짓이 다릅니다. 코드에 `training=True`를 적어 두었나요? 아니면 계층을 `call` 안에서 만들어 부를 때마다 가중치가 새로 생기나요?",
    )
    check.gives_logits(logits)
    check.true(
        np.isfinite(logits[0, :5]).all(),
        "finite numbers",
        # ko: "모두 유한한 수다",
        "some logits are NaN or infinite. Is everything hidden from some position? Each has to see itself at least.",
        # ko: "NaN이나 무한대인 로짓이 있습니다. 아무것도 보지 못하는 위치가 있나요? 위치마다 적어도 자기 자신은 보아야 합니다.",
    )
    probe = np.array([5, 7, 3, 9, 4], dtype="int32")
    is_later = ~np.tri(5, dtype=bool)
    one_block = with_random_weights(build_decoder_lm(11, 9, 1, 8, 2, 12, dropout=0.0))
    sees_later = ((influence(one_block, probe, np.array([6, 6, 6, 6, 6])) > 1e-4) & is_later).any(axis=1)
    check.true(
        not sees_later[0] or sees_later[1:].any(),
        "the first position sees itself alone",
        # ko: "첫 위치는 자기 자신만 본다",
        "with one block the first position sees later tokens, and no other does. Does the mask hide positions from themselves? Then "
        # ko: "블록이 하나일 때 첫 위치만 뒤의 토큰을 봅니다. 마스크가 위치마다 자기 자신까지 가리나요? 그러면 "
        "everything is hidden from the first one, and a softmax over nothing but hidden scores shows them all.",
        # ko: "첫 위치에서는 모든 것이 가려지는데, 가린 점수뿐인 소프트맥스는 모두를 보여 줍니다.",
    )
    seen = influence(small, probe, np.array([6, 6, 6, 6, 6]))
    check.true(
        seen[is_later].max() < 1e-4,
        "no position sees a later token",
        # ko: "어느 위치도 뒤의 토큰을 보지 못한다",
        "a position sees a later token. Does the mask hide where the key comes later (1 in a mask of notebook 04, False in Keras's attention_mask)? Is it still that of `build_encoder_lm`, made without a `return`, or is what makes the mask never called?",
        # ko: "뒤의 토큰을 보는 위치가 있습니다. 마스크가 더 뒤에 있는 키를 가리나요(4번 노트북의 마스크에서는 1, 케라스의 attention_mask에서는 False가 가립니다)? `build_encoder_lm`의 마스크를 그대로 쓰거나, 마스크를 만드는 함수에 `return`이 없거나, 그 함수를 부르지 않는 것은 아닌가요?",
    )
    check.true(
        (seen[np.tri(5, dtype=bool)] > 1e-5).all(),
        "every position sees itself and all earlier tokens",
        # ko: "모든 위치가 자기 자신과 앞의 모든 토큰을 본다",
        "some position doesn't see itself or some earlier token.",
        # ko: "자기 자신이나 앞의 어떤 토큰을 보지 못하는 위치가 있습니다.",
    )
    check.close(
        to_numpy(small(np.pad(ids, ((0, 0), (0, 2)))))[0, :5],
        logits[0, :5],
        "more padding changes nothing",
        # ko: "패딩을 더 붙여도 그대로다",
        otherwise="Padding that is appended moves the logits. Is it hidden? A mask of notebook 04 is 1 at padding and 0 at tokens; Keras's attention_mask is the other way round.",
        # ko: otherwise="뒤에 붙인 패딩이 로짓을 움직입니다. 패딩을 가리나요? 4번 노트북의 마스크는 패딩에서 1, 토큰에서 0이고, 케라스의 attention_mask는 반대입니다.",
    )
    in_front = np.array([[0, 0, 5, 7, 3]], dtype="int32")
    before = to_numpy(small(in_front))[:, 2:, 1:]
    for table in [weight for weight in small.trainable_weights if tuple(weight.shape) == (11, 8)]:
        table.assign(to_numpy(table) + (np.arange(11) == 0)[:, None] * np.linspace(-2, 2, 8) ** 3)  # another vector for id 0
        # ko: table.assign(to_numpy(table) + (np.arange(11) == 0)[:, None] * np.linspace(-2, 2, 8) ** 3)  # ID 0에 다른 벡터를 줍니다
    check.close(
        to_numpy(small(in_front))[:, 2:, 1:],
        before,
        "padding in front is hidden as well",
        # ko: "앞에 놓인 패딩도 가린다",
        otherwise="The vector of padding, which stands in front here, reaches the tokens behind it.",
        # ko: otherwise="여기서는 앞에 놓인 패딩의 벡터가 뒤의 토큰에 영향을 줍니다.",
    )
    _check_parts(check, build_decoder_lm)
    arguments = inspect.signature(build_decoder_lm).parameters.values()
    if any(argument.name == "learned_positions" or argument.kind is argument.VAR_KEYWORD for argument in arguments):
        _check_learned_positions(check, build_decoder_lm)
    else:
        check.note("the text promises the argument `learned_positions` here, too.")
        # ko: check.note("설명에 적힌 인수 `learned_positions`가 여기에는 없습니다.")
    check.compiles(lambda ids: small(ids), ids, required=False)
_check

# %% [markdown]
# Who sees whom, in both models:
#
# <!-- ko -->
# 두 모델에서 누가 누구를 보는지 그려 봅시다.

# %%
@demonstrate
def _demo():
    seen_line = to_lines([457])[0, :9]
    other_line = np.where(seen_line == IDS["구"], IDS["팔"], IDS["구"])
    figure, axes = plt.subplots(1, 2, figsize=(10.5, 4.2), layout="constrained")
    for ax, build, title in ((axes[0], build_encoder_lm, "encoder: BERT"), (axes[1], build_decoder_lm, "decoder: GPT")):
    # ko: for ax, build, title in ((axes[0], build_encoder_lm, "인코더 (encoder): BERT"), (axes[1], build_decoder_lm, "디코더 (decoder): GPT")):
        pictured = with_random_weights(build(VOCAB_SIZE, 9, 2, 16, 2, 24, 0.0))
        image = show_influence(influence(pictured, seen_line, other_line), ax, title, token_labels(seen_line))
    figure.colorbar(image, ax=axes, label="log10 of how far it moves")
    # ko: figure.colorbar(image, ax=axes, label="움직인 거리의 log10")
    plt.show()

# %% [markdown]
# Now train it. At each position the label is the next token, so all positions of a line are trained at once. The picture shows how surprised the trained model is by each
# token of a held-out line.
#
# <!-- ko -->
# 이제 학습시켜 봅시다. 위치마다 라벨은 다음 토큰이므로, 한 줄의 모든 위치를 한꺼번에 학습합니다. 그림은 학습한 모델이 남겨 둔 줄의 토큰마다 얼마나 놀라는지
# 보여 줍니다.

# %%
@demonstrate
def _demo():
    global _decoder
    _decoder = None
    del _decoder  # there is none before the training has ended
    # ko: del _decoder  # 학습이 끝나기 전에는 없습니다
    if BEING_GRADED:
        _decoder = None
    else:
        keras.utils.set_random_seed(1)
        model = build_decoder_lm(VOCAB_SIZE, LINE_LEN, 2, 64, 4, 128, 0.0)
        rows = epochs_of(train_lines, LM_EPOCHS, seed=4)
        fit(model, rows[:, :-1], rows[:, 1:])
        _decoder = model

        log_probabilities = to_numpy(ops.log_softmax(_decoder.predict(test_lines[:, :-1], verbose=0)))
        asked = test_lines[:, 1:]
        losses = -np.take_along_axis(log_probabilities, asked[..., None], axis=-1)[..., 0]
        length = (asked != PAD).sum(axis=1)
        korean = np.cumsum(asked == EOS, axis=1) - (asked == EOS) == 0
        print(f"loss per token: Korean half {losses[korean].mean():.3f}, English half {losses[(asked != PAD) & ~korean].mean():.3f}")
        # ko: print(f"토큰마다의 손실: 한국어 절반 {losses[korean].mean():.3f}, 영어 절반 {losses[(asked != PAD) & ~korean].mean():.3f}")
        figure, ax = plt.subplots(figsize=(13, 3), layout="constrained")
        row = int(np.argmax(length))
        ax.bar(range(length[row]), losses[row, : length[row]], color=np.where(korean[row, : length[row]], "#3d4a5c", "#c99b5a"))
        ax.set_xticks(range(length[row]), token_labels(asked[row, : length[row]]), rotation=40, fontsize=9)
        ax.set(title="how surprised it is by each token of a held-out line (dark: Korean half)", ylabel="-log probability")
        # ko: ax.set(title="남겨 둔 줄의 토큰마다 얼마나 놀라는가, 어두운 막대: 한국어 절반 (surprise)", ylabel="-로그 확률 (log probability)")
        plt.show()

# %% [markdown]
# The Korean half can't be known beforehand: at a digit the best mean loss is a little less than $\ln 10 \approx 2.3$ (the first one is never 0, and the others aren't quite equally frequent). The mean over the half is
# smaller, because other tokens are nearly certain, such as 십 behind 백 and a digit, or `<eos>` behind the last digit. The English half follows from it, and its loss is close to 0. Nobody told the model that the second half is a translation. It found out,
# because that is how the next token gets predictable.
#
# <!-- ko -->
# 한국어 절반은 미리 알 수 없습니다. 숫자 하나에서 가장 작은 평균 손실은 $\ln 10 \approx 2.3$보다 조금 작습니다(첫 숫자는 0이 아니고, 다른 자리에서도 모든 숫자가 똑같이 자주 나오지는 않습니다). 절반
# 전체의 평균은 그보다 작습니다. ‘백’과 숫자 하나 뒤의 ‘십’이나 마지막 숫자 다음의 `<eos>`처럼 거의 확실한 토큰도 있기 때문입니다. 영어 절반은 한국어에서 나오므로
# 손실이 0에 가깝습니다. 뒤 절반이 번역이라고 모델에게 알려 준 사람은 없습니다. 그래야 다음 토큰을 예측할 수 있으므로 스스로 알아낸
# 것입니다.

# %% [markdown]
# ## Task 4: one vector for a sequence (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# An encoder gives a vector to every token. To compare or to classify whole sentences one needs one vector for each, and the
# simplest good one is the **mean** of the tokens' vectors. Padding isn't a token:
#
# $$\text{pooled} = \frac{\sum_i m_i\, x_i}{\sum_i m_i}, \qquad m_i = \begin{cases} 0 & \text{token } i \text{ is padding} \\ 1 & \text{otherwise} \end{cases}$$
#
# A sequence without any token has no mean. It gets zeros, and no NaN.
#
# <details><summary>Hint 1: How does the formula become code?</summary>
#
# $m$ as floats, with an axis of length 1 at the end, so that it multiplies the vectors. (What `create_padding_mask` gives is shaped
# for the scores of attention.) Add up over axis 1, above and below the fraction.
#
# </details>
#
# <details><summary>Hint 2: What of a sequence without tokens?</summary>
#
# Both sums are 0. Divide by at least 1 (`ops.maximum`), and 0 comes out.
#
# </details>
#
# <!-- ko -->
# ## 과제 4: 시퀀스 하나를 벡터 하나로 (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 인코더는 토큰마다 벡터를 하나씩 줍니다. 문장을 통째로 견주거나 분류하려면 문장마다 벡터가 하나 있어야 하는데, 가장 단순하면서도 쓸 만한
# 것이 토큰 벡터의 **평균**(mean)입니다. 이렇게 모으는 것을 평균 풀링(mean pooling)이라고 합니다. 패딩은 어디에 있든 세지 않습니다.
#
# $$\text{pooled} = \frac{\sum_i m_i\, x_i}{\sum_i m_i}, \qquad m_i = \begin{cases} 0 & i\text{번 토큰이 패딩일 때} \\ 1 & \text{아닐 때} \end{cases}$$
#
# 토큰이 하나도 없는 시퀀스에는 평균이 없습니다. NaN이 아니라 0으로 채운 벡터를 줍니다.
#
# <details><summary>힌트 1: 식을 코드로 옮기려면?</summary>
#
# $m$을 실수로 만들고 끝에 길이 1인 축을 붙이면 벡터에 곱할 수 있습니다. (`create_padding_mask`가 주는 것은 어텐션 점수에 맞춘 모양입니다.)
# 분자와 분모를 모두 축 1을 따라 더하세요.
#
# </details>
#
# <details><summary>힌트 2: 토큰이 없는 시퀀스는?</summary>
#
# 두 합이 모두 0입니다. 적어도 1로 나누면(`ops.maximum`) 0이 나옵니다.
#
# </details>


# %% task="pooling"
def masked_mean_pooling(x, token_ids, pad_id=0):
    """
    Average the vectors of the tokens that aren't padding.
    # ko: 패딩이 아닌 토큰의 벡터를 평균합니다.

    Args:
    # ko: 인수:
        x: (batch, seq_len, dim), a vector for each token.
        # ko: x: (batch, seq_len, dim), 토큰마다의 벡터.
        token_ids: (batch, seq_len).
        pad_id: the id of padding.
        # ko: pad_id: 패딩의 ID.

    Returns:
    # ko: 반환값:
        (batch, dim); zeros for a sequence that is nothing but padding.
        # ko: (batch, dim). 패딩뿐인 시퀀스에는 0.
    """
    ### BEGIN SOLUTION
    x = ops.convert_to_tensor(x)
    kept = ops.cast(ops.not_equal(ops.convert_to_tensor(token_ids), pad_id), x.dtype)[..., None]  # (batch, seq_len, 1)
    return ops.sum(x * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0)
    ### END SOLUTION


# %% grade="pooling" points=2
@checking("masked_mean_pooling")
def _check(check):
    x = np.array([[[1, 2], [3, 6], [9, 9], [8, 3]], [[7, 7], [5, 1], [8, 8], [2, 6]], [[4, 4], [4, 4], [4, 4], [4, 4]]], dtype="float32")
    ids = np.array([[6, 4, 0, 0], [0, 9, 0, 0], [0, 0, 0, 0]])  # padding may stand in front, too
    # ko: ids = np.array([[6, 4, 0, 0], [0, 9, 0, 0], [0, 0, 0, 0]])  # 패딩은 앞에 있을 수도 있습니다
    pooled = masked_mean_pooling(x, ids)
    check.shape(pooled, (3, 2), "(batch, dim)")
    check.close(
        pooled,
        [[2, 4], [5, 1], [0, 0]],
        "the means of two tokens, of one and of none",
        # ko: "토큰 둘, 하나, 없음의 평균",
        hints={
            "the first vectors are averaged, as many as there are tokens: padding may stand anywhere.": [[2, 4], [7, 7], [0, 0]],
            # ko: "앞에서부터 토큰 수만큼의 벡터를 평균했습니다. 패딩은 어디에나 있을 수 있습니다.": [[2, 4], [7, 7], [0, 0]],
            "the padding counts, too.": x.mean(axis=1),
            # ko: "패딩까지 셌습니다.": x.mean(axis=1),
            "padding is left out of the sum, but not out of the count.": [[1, 2], [5 / 4, 1 / 4], [0, 0]],
            # ko: "합에서는 패딩을 뺐지만 개수에서는 빼지 않았습니다.": [[1, 2], [5 / 4, 1 / 4], [0, 0]],
            "each sum is divided by the number of tokens of the whole batch, not of its own sequence.": [[4 / 3, 8 / 3], [5 / 3, 1 / 3], [0, 0]],
            # ko: "합을 그 시퀀스가 아니라 배치 전체의 토큰 수로 나누었습니다.": [[4 / 3, 8 / 3], [5 / 3, 1 / 3], [0, 0]],
            "the vectors have become true and false like the mask: make floats of the mask with `ops.cast`.": [[1, 1], [1, 1], [0, 0]],
            # ko: "x까지 마스크처럼 참과 거짓이 되었습니다. 마스크를 `ops.cast`로 실수로 바꾸세요.": [[1, 1], [1, 1], [0, 0]],
        },
        otherwise="Each row is the sum of its own tokens' vectors divided by how many tokens it has, and 0 where it has none.",
        # ko: otherwise="행마다 그 행에 있는 토큰의 벡터를 더해 그 행의 토큰 수로 나누고, 토큰이 없으면 0이어야 합니다.",
    )
    check.close(
        masked_mean_pooling(x, np.where(ids == 0, 7, ids), pad_id=7),
        [[2, 4], [5, 1], [0, 0]],
        "the same with padding of id 7",
        # ko: "패딩의 ID가 7일 때도 같다",
        otherwise="With pad_id=7 padding has the id 7: is the argument used?",
        # ko: otherwise="pad_id=7이면 패딩의 ID는 7입니다. 인수 pad_id를 쓰나요?",
    )
_check

# %% [markdown]
# Why it matters: the same line, padded further and further. The mean over everything moves with the neighbours that the line
# happens to have in its batch; yours stays where it is.
#
# <!-- ko -->
# 왜 중요할까요? 같은 줄에 패딩을 점점 더 붙여 봅니다. 모두를 평균한 값은 그 줄이 배치(batch)에서 우연히 만난 이웃에 따라 움직이지만,
# 여러분의 값은 제자리에 있습니다.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(0)
    row = to_lines([457])[0]
    row = row[row != PAD]
    vectors = rng.normal(size=(VOCAB_SIZE, 16)).astype("float32") + np.float32(0.5)
    moved = {"mean over everything": [], "masked mean": []}
    # ko: moved = {"모두의 평균 (mean)": [], "마스크 평균 (masked mean)": []}
    extra = range(0, 17)
    for count in extra:
        ids = np.pad(row, (0, count))[None]
        for name, pooled in zip(moved, (vectors[ids].mean(axis=1), to_numpy(masked_mean_pooling(vectors[ids], ids))), strict=True):
            moved[name].append(float(np.linalg.norm(pooled[0] - vectors[row].mean(axis=0))))
    figure, ax = plt.subplots(figsize=(6.5, 3), layout="constrained")
    for (name, distance), colour in zip(moved.items(), ("#c65d3b", "#3d4a5c"), strict=True):
        ax.plot(extra, distance, marker="o", markersize=4, color=colour, label=name)
    ax.set(xlabel="added padding", ylabel="distance from the tokens' mean")
    # ko: ax.set(xlabel="붙인 패딩의 수 (padding)", ylabel="토큰 평균까지의 거리 (distance)")
    ax.legend()
    plt.show()

# %% [markdown]
# ### What is in the vectors of the trained encoder?
#
# That is what BERT is for: its vectors are used for other questions than the one that it was trained on. The next cell takes the vectors that go into the output layer of your trained encoder, pools each
# held-out line with your function, and asks two questions.
#
# - **Neighbours.** Which lines are most alike (by cosine) to that of one number?
# - **A probe.** Is the number even? A linear classifier, fitted on 600 lines, answers for 400 others. The cell fits three such classifiers: one sees the trained encoder's pooled vectors, one those of an encoder that was
#   never trained, and one, for comparison, nothing but how often each token stands in the line.
#
# > **Does this hold?** *"A mean forgets the order. So no pooled vector can tell whether the last digit is even."* Guess the three shares before you run the cell. (A few seconds.)
#
# <!-- ko -->
# ### 학습한 인코더의 벡터에는 무엇이 들어 있을까?
#
# BERT의 쓸모가 바로 여기에 있습니다. 학습할 때 답한 질문이 아닌 다른 질문에 그 벡터를 씁니다. 다음 셀은 학습한 인코더의 출력층에 들어가는 벡터를 꺼내, 학습에 쓰지 않은 줄마다 여러분의 함수로 풀링하고 두 가지를 묻습니다.
#
# - **이웃.** 어떤 수의 줄과 가장 비슷한(코사인 유사도) 줄은 무엇일까요?
# - **프로브(probe).** 그 수는 짝수일까요? 600줄로 학습한 선형 분류기가 다른 400줄에 답합니다. 분류기는 셋입니다. 하나는 학습한 인코더의 풀링한 벡터를, 하나는 학습한 적이 없는 인코더의 벡터를,
#   하나는 비교를 위해 토큰마다 줄에 몇 번 나오는지만 봅니다.
#
# > **정말 그럴까?** *"평균은 순서를 잊는다. 그러니 풀링한 벡터로는 마지막 숫자가 짝수인지 알 수 없다."* 셀을 실행하기 전에 세 비율을 짐작해 보세요. (몇 초 걸립니다.)

# %%
@demonstrate
def _demo():
    if not _encoders:
        return

    def vectors_of(model, ids):
        """Return what goes into the model's output layer: (batch, seq_len, dim); its logits if there is no such layer."""
        # ko: """모델의 출력층에 들어가는 벡터 (batch, seq_len, dim)을 돌려줍니다. 그런 층이 없으면 로짓입니다."""
        last = [layer for layer in model._flatten_layers() if isinstance(layer, keras.layers.Dense) and layer.units == VOCAB_SIZE]
        if not last:
            return to_numpy(model(ids))
        heard, call = [], last[-1].call
        last[-1].call = lambda x, *args, **kwargs: heard.append(to_numpy(x)) or call(x, *args, **kwargs)
        try:
            model(ids)
        finally:
            last[-1].call = call
        return heard[-1] if heard else to_numpy(model(ids))

    keras.utils.set_random_seed(5)
    model = list(_encoders.values())[0]
    untrained = build_encoder_lm(VOCAB_SIZE, LINE_LEN, 2, 64, 4, 128, 0.0)
    pooled = {
        "how often each token occurs": (test_lines[..., None] == np.arange(1, VOCAB_SIZE)).sum(axis=1),
        # ko: "토큰마다 나오는 횟수": (test_lines[..., None] == np.arange(1, VOCAB_SIZE)).sum(axis=1),
        "pooled vectors, never trained": to_numpy(masked_mean_pooling(vectors_of(untrained, test_lines), test_lines)),
        # ko: "학습한 적이 없는 인코더의 벡터": to_numpy(masked_mean_pooling(vectors_of(untrained, test_lines), test_lines)),
        "pooled vectors, trained": to_numpy(masked_mean_pooling(vectors_of(model, test_lines), test_lines)),
        # ko: "학습한 인코더의 벡터": to_numpy(masked_mean_pooling(vectors_of(model, test_lines), test_lines)),
    }
    is_even = np.array(test_numbers) % 2 == 0
    for name, features in pooled.items():
        features = features.astype("float64")
        features = (features - features[:600].mean(axis=0)) / (features[:600].std(axis=0) + 1e-6)
        features = np.concatenate([features, np.ones((len(features), 1))], axis=1)
        fitted = features[:600].T @ features[:600] + 3 * np.eye(features.shape[1])
        weights = np.linalg.solve(fitted, features[:600].T @ np.where(is_even[:600], 1.0, -1.0))
        right = ((features[600:] @ weights > 0) == is_even[600:]).mean()
        print(f"even or odd, from {name}: {right:.1%} of {len(features) - 600} right")
        # ko: print(f"짝수인가 홀수인가, {name}: {len(features) - 600}개 가운데 {right:.1%} 맞음")
    vectors = pooled[name] / np.linalg.norm(pooled[name], axis=1, keepdims=True)
    for row in np.argsort([-len(str(number)) for number in test_numbers], kind="stable")[:3]:
        nearest = np.argsort(-(vectors @ vectors[row]))[1:6]
        print(f"nearest to {test_numbers[row]:,d}:", "   ".join(f"{test_numbers[i]:,d}" for i in nearest))
        # ko: print(f"{test_numbers[row]:,d}에 가장 가까운 것:", "   ".join(f"{test_numbers[i]:,d}" for i in nearest))

# %% [markdown]
# > <details><summary>What is right</summary>
# >
# > It can. How often each token stands in a line says a good deal already: that alone gives about 78 %. The pooled vectors before the training know about as much, a little more or less (67 to 84 %, by how the encoder is made). With the trained
# > encoder it is usually more, 81 to 91 % by the encoder and the seed (of 400 lines: two or three percent are chance, so in one run the gap may be small). It mixes into each token's vector what stands around it, so a *four* at the end is another vector than a *four* before *hundred*, and a trace of that is left in the mean. A mean
# > forgets the order of the vectors, not what the vectors know of the order. The neighbours often share digits rather than their size: nobody has ever asked this encoder how large a number is.
# >
# > </details>
#
# ## Task 5: let the model speak (3 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# A decoder gives a distribution over the next token. Taking the likeliest one always says the same; drawing from the whole
# distribution says, once in a while, something very unlikely, and then goes on from there. Three knobs, applied in this
# order:
#
# 1. **temperature** $T$: draw from $\mathrm{softmax}(\text{logits} / T)$. Below 1 it is sharper, above 1 flatter. $T = 0$
#    is the limit: the largest logit, whatever the other knobs say.
# 2. **top-k** (Fan et al. 2018): keep the $k$ likeliest tokens. `None` or 0: all of them.
# 3. **top-p**, or nucleus (Holtzman et al. 2020): of what is left, made to sum to 1 again, keep the likeliest tokens,
#    as few as have probabilities that add up to at least $p$. The token that reaches $p$ is one of them, so there is always one. `None`
#    or 1.0: all of them.
#
# Then draw one token for each row, every row by itself, in proportion to the probabilities that are left. Where tokens are
# equally likely it doesn't matter which of them you keep.
#
# <details><summary>Hint 1: In which order is it easy?</summary>
#
# Likeliest first: `np.argsort` of the negative logits gives the ids in that order, and `np.take_along_axis` the logits. Then top-k is a slice,
# and only in the end does a rank become an id again.
#
# </details>
#
# <details><summary>Hint 2: Which tokens does top-p keep?</summary>
#
# Those before which the probabilities add up to less than $p$: `np.cumsum` minus the token's own. So the first is always kept, and
# the one that reaches $p$ too.
#
# </details>
#
# <details><summary>Hint 3: How is one drawn?</summary>
#
# A random number between 0 and the sum of what is left falls into one token's piece of the running sum: count how many running sums
# it has passed. Or `rng.choice` for each row, with `p`.
#
# </details>
#
# <!-- ko -->
# > <details><summary>맞는 설명</summary>
# >
# > 알 수 있습니다. 토큰마다 줄에 몇 번 나오는지만으로도 꽤 알 수 있습니다. 그것만으로 78%쯤 맞히고, 학습하기 전의 벡터도 그와 비슷하게 압니다(인코더를 어떻게 만들었느냐에 따라 67~84%). 학습한 인코더로는 대개 그보다 높아, 인코더와 시드에 따라 81~91%입니다(400줄이니 2~3%는 우연일 수 있고, 한 번의 실행에서는 차이가 작을 수도 있습니다). 인코더는 토큰의 벡터마다 둘레에 있는
# > 것을 섞어 넣습니다. 그래서 끝에 있는 *four*와 *hundred* 앞의 *four*는 다른 벡터이고, 그 흔적이 평균에도 남습니다. 평균이 잊는 것은 벡터들의 순서이지, 벡터가 순서에 대해 아는 것이 아닙니다. 이웃들은 크기보다는 숫자가
# > 닮은 경우가 많습니다. 이 인코더에게 수가 얼마나 큰지 물은 사람은 없기 때문입니다.
# >
# > </details>
#
# ## 과제 5: 모델이 말하게 하기 (3점)
#
# *난이도 3/5, 40분쯤.*
#
# 디코더는 다음 토큰의 분포(distribution)를 줍니다. 언제나 가장 그럴듯한 것을 고르면 늘 같은 말만 합니다. 분포 전체에서 뽑으면(샘플링,
# sampling) 어쩌다 한 번씩 아주 엉뚱한 토큰이 나오고, 거기서부터 말이 이어집니다. 조절하는 방법이 셋 있고, 이 순서로 적용합니다.
#
# 1. **온도** $T$: $\mathrm{softmax}(\text{logits} / T)$에서 뽑습니다. 1보다 작으면 분포가 뾰족해지고 크면 평평해집니다. $T = 0$은 그
#    극한입니다. 다른 값이 무엇이든 가장 큰 로짓을 고릅니다.
# 2. **top-k**(Fan et al. 2018): 가장 그럴듯한 토큰 $k$개만 남깁니다. `None`이나 0이면 모두 남깁니다.
# 3. **top-p**, 곧 뉴클리어스(nucleus)(Holtzman et al. 2020): 남은 것을 합이 1이 되게 다시 맞추고, 확률을 큰 것부터 더해 $p$ 이상이 되는
#    가장 적은 수의 토큰만 남깁니다. $p$에 이르게 하는 토큰도 남으므로 적어도 하나는 남습니다. `None`이나 1.0이면 모두 남깁니다.
#
# 그런 다음 행마다 따로, 남은 확률에 비례해 토큰을 하나씩 뽑습니다. 똑같이 그럴듯한 토큰이 여럿이면 어느 것을 남겨도 괜찮습니다.
#
# <details><summary>힌트 1: 어떤 순서로 놓으면 쉬울까요?</summary>
#
# 그럴듯한 것부터 놓으세요. 로짓에 음의 부호를 붙여 `np.argsort`하면 그 순서의 ID가, `np.take_along_axis`로 그 순서의 로짓이 나옵니다.
# 그러면 top-k는 슬라이스이고, 순위는 맨 끝에서만 ID로 되돌립니다.
#
# </details>
#
# <details><summary>힌트 2: top-p는 어떤 토큰을 남길까요?</summary>
#
# 자기 *앞까지의* 확률을 더한 값이 $p$보다 작은 토큰입니다. `np.cumsum`에서 자기 확률을 빼면 됩니다. 그래서 첫 토큰은 늘 남고, $p$에
# 이르게 하는 토큰도 남습니다.
#
# </details>
#
# <details><summary>힌트 3: 하나를 뽑으려면?</summary>
#
# 0과 남은 확률의 합 사이에서 무작위 수를 뽑으면 누적합의 어느 토큰 구간에 떨어집니다. 그 수가 지나친 누적합이 몇 개인지 세세요.
# 행마다 `rng.choice`에 `p`를 주어도 됩니다.
#
# </details>


# %% task="sampling"
def sample(logits, rng, temperature=1.0, top_k=None, top_p=None):
    """
    Draw the next token of each row.
    # ko: 행마다 다음 토큰을 뽑습니다.

    Args:
    # ko: 인수:
        logits: (batch, vocab_size), of any magnitude.
        # ko: logits: (batch, vocab_size), 값이 아무리 커도 됩니다.
        rng: a numpy.random.Generator; all that is random comes from it.
        # ko: rng: numpy.random.Generator. 무작위인 것은 모두 여기서 나옵니다.
        temperature: divides the logits; 0 takes the largest logit.
        # ko: temperature: 로짓을 나누는 수. 0이면 가장 큰 로짓을 고릅니다.
        top_k: how many tokens are kept; None or 0: all.
        # ko: top_k: 남길 토큰의 수. None이나 0이면 모두.
        top_p: probability, above 0, that the kept tokens reach, after temperature and top-k; None or 1.0: all.
        # ko: top_p: 온도와 top-k 다음에, 남길 토큰들이 이르러야 할 확률(0보다 큽니다). None이나 1.0이면 모두.

    Returns:
    # ko: 반환값:
        (batch,), integers: a token id for each row.
        # ko: (batch,), 정수. 행마다 토큰 ID 하나.
    """
    ### BEGIN SOLUTION
    logits = np.asarray(to_numpy(logits), dtype="float64")
    if temperature == 0:
        return logits.argmax(axis=-1)
    order = np.argsort(-logits, axis=-1)  # (batch, vocab_size), the likeliest first
    ranked = np.take_along_axis(logits, order, axis=-1) / temperature
    chances = np.exp(ranked - ranked[:, :1])
    if top_k:
        chances[:, top_k:] = 0.0
    chances /= chances.sum(axis=-1, keepdims=True)
    if top_p is not None and top_p < 1:
        before = np.cumsum(chances, axis=-1) - chances
        chances[before >= top_p] = 0.0
    reached = np.cumsum(chances, axis=-1)
    dart = rng.random((len(logits), 1)) * reached[:, -1:]
    rank = (reached <= dart).sum(axis=-1, keepdims=True)
    return np.take_along_axis(order, rank, axis=-1)[:, 0]
    ### END SOLUTION


# %% grade="sampling" points=3
@checking("sample")
def _check(check):
    chances = np.array([0.05, 0.5, 0.15, 0.3])
    logits = np.repeat(np.log(chances)[None], 4000, axis=0)

    def draws(rows, seed=5, **options):
        try:
            return np.ravel(to_numpy(sample(rows.copy(), np.random.default_rng(seed), **options))).astype(int)
        except IndexError as error:
            if not options or not re.search(r"\bindex\b.*out\sof\s(bounds|range)", str(error)):
                raise
            words = ", ".join(f"{name}={value}" for name, value in options.items())
            check._fail(
                f"with {words} a token behind the last one is looked up. Are ids and probabilities both cut to the kept ones? Is the random number below the sum of what is left? "
                # ko: f"{words}이면 마지막 토큰보다 뒤의 토큰을 찾습니다. ID와 확률을 모두 남길 것만 남기고 잘랐나요? 무작위 수가 남은 확률의 합보다 작은가요? "
                "Scale that number to the sum, or divide what is left by it. If you do, nothing may be left, as where each probability is compared with p by itself."
                # ko: "그 수에 합을 곱하거나, 남은 확률을 합으로 나누세요. 이미 그렇게 했다면 남은 토큰이 하나도 없는지 보세요. 확률을 하나씩 p와 비교하면 그럴 수 있습니다."
            )

    def shares(rows=logits, **options):
        return (draws(rows, **options)[:, None] == np.arange(4)).mean(axis=0)

    def has_shares(expected, what, otherwise, rows=logits, **options):
        try:
            received = shares(rows, **options)
        except (ValueError, ArithmeticError, CheckFailed) as error:  # such as for probabilities that are NaN, or where nothing is left
        # ko: except (ValueError, ArithmeticError, CheckFailed) as error:  # 확률이 NaN이거나 남은 것이 없을 때처럼
            first = (error.__context__ or error) if isinstance(error, CheckFailed) else error
            check._fail(f"{what}: {otherwise}\n(Your code stops here: {type(first).__name__}: {first})")
            # ko: check._fail(f"{what}: {otherwise}\n(여러분의 코드가 여기서 멈춥니다: {type(first).__name__}: {first})")
        check.close(received, expected, what, tolerance=1e-4 if "temperature" in options else 0.04, otherwise=otherwise)

    first = sample(logits.copy(), np.random.default_rng(5))
    check.shape(first, (4000,), "(batch,)")
    first = _as_array(first)
    strange = first[~np.isin(first, np.arange(4))]
    check.true(
        not len(strange),
        "all are ids",
        # ko: "모두 ID다",
        f"{strange[:1]} came back, and ids are 0, 1, 2 and 3 here. The id of a token is wanted, not its logit or probability.",
        # ko: f"여기서 ID는 0, 1, 2, 3인데 {strange[:1]}이(가) 나왔습니다. 토큰의 로짓이나 확률이 아니라 ID를 돌려주세요.",
    )
    if first.dtype.kind == "f":
        check.note("the ids are floats. The text asks for integers, which other code needs to look tokens up.")
        # ko: check.note("ID가 실수입니다. 설명대로라면 정수여야 합니다. 다른 코드가 토큰을 찾을 때 정수가 필요합니다.")
    plain = shares()
    check.close(
        plain,
        chances,
        "the shares of 4000 draws from 0.05, 0.5, 0.15, 0.3",
        # ko: "0.05, 0.5, 0.15, 0.3에서 4000번 뽑은 비율",
        hints={
            "it returns ranks, the likeliest first: turn each rank into its id again.": np.sort(chances)[::-1],
            # ko: "가장 그럴듯한 것부터 센 순위를 돌려줍니다. 순위를 ID로 되돌리세요.": np.sort(chances)[::-1],
            "it returns ranks, the least likely first: turn each rank into its id again.": np.sort(chances),
            # ko: "가장 덜 그럴듯한 것부터 센 순위를 돌려줍니다. 순위를 ID로 되돌리세요.": np.sort(chances),
        },
        tolerance=0.04,
        otherwise="One share is 1. Is a single random number drawn for all rows, where every row needs its own, or none at all? Or is it compared the wrong way round?"
        # ko: otherwise="비율 하나가 1입니다. 행마다 따로 뽑아야 하는데 난수 하나를 모든 행에 쓰거나, 아예 뽑지 않거나, 뽑은 수를 거꾸로 비교하지 않나요?"
        if plain.max() == 1
        else "A token comes as often as the softmax over its row's logits says. Does the draw use these probabilities?",
        # ko: else "토큰은 그 행의 로짓에 걸친 소프트맥스의 값만큼 자주 나와야 합니다. 그 확률로 뽑나요?",
    )
    check.true(
        np.array_equal(draws(logits), draws(logits)),
        "the same seed gives the same draws",
        # ko: "시드가 같으면 뽑는 것도 같다",
        "called twice with the same seed it draws differently: everything random has to come from `rng`.",
        # ko: "시드가 같은데 두 번 부르면 다르게 뽑습니다. 무작위인 것은 모두 `rng`에서 나와야 합니다.",
    )
    check.true(
        not np.array_equal(draws(logits), draws(logits, seed=6)),
        "another seed draws otherwise",
        # ko: "시드가 다르면 다르게 뽑는다",
        "with another seed it draws exactly the same: `rng` isn't used.",
        # ko: "시드가 다른데도 똑같이 뽑습니다. `rng`를 쓰지 않습니다.",
    )
    has_shares(
        chances,
        "the same shares with 1000 more in every logit of every second row",
        # ko: "한 행 걸러 모든 로짓이 1000씩 커도 같은 비율",
        "1000 more in every logit of a row changes none of its probabilities. But `exp` of so large a number overflows, and of one so far below another row's largest logit it is 0: subtract from each row its own largest logit first.",
        # ko: "한 행의 모든 로짓이 1000씩 커도 그 행의 확률은 그대로입니다. 그런데 이렇게 큰 수의 `exp`는 오버플로가 나고, 다른 행의 가장 큰 로짓을 빼서 아주 작아진 수의 `exp`는 0이 됩니다. 행마다 자기 행의 가장 큰 로짓을 먼저 빼세요.",
        rows=logits + np.where(np.arange(4000) % 2, 1000, 0)[:, None],
    )
    cold = chances**2 / (chances**2).sum()
    check.close(
        shares(temperature=0.5),
        cold,
        "the shares at temperature 0.5",
        # ko: "온도 0.5에서의 비율",
        hints={"the logits are multiplied by the temperature: divide.": chances**0.5 / (chances**0.5).sum()},
        # ko: hints={"로짓에 온도를 곱했습니다. 나누세요.": chances**0.5 / (chances**0.5).sum()},
        tolerance=0.04,
        otherwise="The logits are divided by 0.5 before the softmax: the likely tokens get likelier.",
        # ko: otherwise="소프트맥스 앞에서 로짓을 0.5로 나누어야 합니다. 그러면 그럴듯한 토큰이 더 그럴듯해집니다.",
    )
    has_shares(
        chances,
        "top_k=0 and top_p=1.0 leave everything",
        # ko: "top_k=0과 top_p=1.0은 모두 남긴다",
        "0 for `top_k` and 1.0 for `top_p` keep all tokens, as `None` does.",
        # ko: "`top_k`가 0이거나 `top_p`가 1.0이면 `None`일 때처럼 모든 토큰을 남깁니다.",
        top_k=0,
        top_p=1.0,
    )
    two_rows = np.tile(np.log([chances, [0.24, 0.22, 0.28, 0.26]]), (2000, 1))
    has_shares(
        [0, 0.5, 0.5, 0],
        "temperature 0 takes the likeliest",
        # ko: "온도 0은 가장 그럴듯한 것을 고른다",
        "At temperature 0 every row gives the token of its own largest logit, here 1 and 2 in turns. Do you divide by 0, draw all the same, or look along another axis?",
        # ko: "온도가 0이면 행마다 자기 행에서 로짓이 가장 큰 토큰, 여기서는 1과 2가 번갈아 나와야 합니다. 0으로 나누거나, 그래도 뽑거나, 다른 축에서 찾지 않나요?",
        rows=two_rows,
        temperature=0,
    )
    check.shape(sample(two_rows.copy(), np.random.default_rng(5), temperature=0), (4000,), "(batch,) at temperature 0")
    # ko: check.shape(sample(two_rows.copy(), np.random.default_rng(5), temperature=0), (4000,), "온도 0일 때의 (batch,)")
    for words, others in (("top_k=3", {"top_k": 3}), ("top_p=0.9", {"top_p": 0.9})):
        has_shares(
            [0, 1, 0, 0],
            f"temperature 0 with {words} too",
            # ko: f"{words}일 때도 온도 0은 가장 그럴듯한 것을 고른다",
            f"Temperature 0 takes the largest logit, whatever the other knobs say, here {words}. Do you divide by 0?",
            # ko: f"온도가 0이면 다른 인수가 무엇이든, 여기서는 {words}일 때도, 로짓이 가장 큰 토큰을 고릅니다. 0으로 나누지 않나요?",
            temperature=0,
            **others,
        )
    for k, right in ((2, [1, 3]), (3, [1, 2, 3])):
        drawn = np.unique(draws(logits, top_k=k)).tolist()
        check.true(
            drawn == right,
            f"top_k={k} keeps {k} tokens",
            # ko: f"top_k={k}는 토큰 {k}개를 남긴다",
            f"with top_k={k} the tokens {drawn} are drawn, not the {k} likeliest, {right}.",
            # ko: f"top_k={k}에서 가장 그럴듯한 {right}이(가) 뽑혀야 하는데, 뽑힌 토큰은 {drawn}입니다.",
        )
    kept = shares(top_p=0.6) > 0
    check.true(
        list(kept) == [False, True, False, True],
        "top_p=0.6 keeps the two tokens that reach 0.6",
        # ko: "top_p=0.6은 0.6에 이르는 두 토큰을 남긴다",
        f"with top_p=0.6 the tokens {np.flatnonzero(kept)} are drawn: 0.5 alone doesn't reach 0.6, 0.5 and 0.3 do. Do the probabilities sum to 1 when they are added up?",
        # ko: f"top_p=0.6에서 뽑힌 토큰은 {np.flatnonzero(kept)}입니다. 0.5 하나로는 0.6에 이르지 못하고 0.5와 0.3이면 이릅니다. 더할 때 확률의 합이 1인가요?",
    )
    for words, of_two in (("top_k=2", shares(top_k=2)), ("top_p=0.6", shares(top_p=0.6))):
        check.close(
            of_two,
            [0, 0.625, 0, 0.375],
            f"{words}: in proportion to what is left",
            # ko: f"{words}: 남은 것의 비율대로",
            tolerance=0.04,
            otherwise="The right tokens are drawn, but with other shares. Are they drawn evenly, with the probabilities of other tokens, or without making what is left sum to 1 again?",
            # ko: otherwise="뽑은 토큰은 맞지만 비율이 다릅니다. 똑같은 확률로 뽑거나, 다른 토큰의 확률을 쓰거나, 남은 확률의 합이 1이 되게 다시 맞추는 것을 빠뜨리지 않았나요?",
        )
    kept = shares(temperature=0.5, top_p=0.6) > 0
    check.true(
        list(kept) == [False, True, False, False],
        "temperature comes before top-p",
        # ko: "온도는 top-p보다 먼저 적용한다",
        f"with temperature=0.5 and top_p=0.6 the tokens {np.flatnonzero(kept)} are drawn, not 1 alone: the temperature makes 0.68 of its 0.5, which reaches 0.6. The temperature comes first.",
        # ko: f"temperature=0.5, top_p=0.6에서는 1만 뽑혀야 하는데, 뽑힌 토큰은 {np.flatnonzero(kept)}입니다. 온도를 적용하면 1의 확률 0.5가 0.68이 되어 혼자서 0.6에 이릅니다. 온도가 먼저입니다.",
    )
    kept = shares(top_k=2, top_p=0.6) > 0
    check.true(
        list(kept) == [False, True, False, False],
        "top-k comes before top-p",
        # ko: "top-k는 top-p보다 먼저 적용한다",
        f"with top_k=2 and top_p=0.6 the tokens {np.flatnonzero(kept)} are drawn, not 1 alone: top-k leaves 0.5 and 0.3, which are made to sum to 1 again, and 0.625 reaches 0.6.",
        # ko: f"top_k=2, top_p=0.6에서는 1만 뽑혀야 하는데, 뽑힌 토큰은 {np.flatnonzero(kept)}입니다. top-k가 0.5와 0.3을 남기고 합이 1이 되게 다시 맞추면 0.625가 혼자서 0.6에 이릅니다.",
    )
    for options, words, right in (({"top_k": 2}, "top_k=2", [2, 3]), ({"top_p": 0.6}, "top_p=0.6", [0, 2, 3])):
        drawn = np.unique(draws(two_rows, **options)[1::2]).tolist()
        check.true(
            drawn == right,
            f"{words} for a row of other logits",
            # ko: f"로짓이 다른 행의 {words}",
            f"with {words} a second row of 0.24, 0.22, 0.28, 0.26 draws the tokens {drawn}, not {right}: every row has its own order and its own threshold.",
            # ko: f"{words}에서 확률이 0.24, 0.22, 0.28, 0.26인 둘째 행은 {right}에서 뽑아야 하는데, 뽑힌 토큰은 {drawn}입니다. 순서와 문턱은 행마다 따로 정해야 합니다.",
        )
_check

# %% [markdown]
# The knobs at work on two distributions, a sharp one and a flat one: the shares of 20 000 draws each. (The line is the softmax at temperature 1.)
# `top_k=4` keeps four tokens of either. `top_p=0.8` keeps as many as it needs: few where the model is sure, many where it isn't.
#
# <!-- ko -->
# 뾰족한 분포와 평평한 분포에 세 방법을 써 봅시다. 20,000번씩 뽑은 비율입니다. (선은 온도가 1일 때의 소프트맥스입니다.) `top_k=4`는 어느 쪽에서나
# 토큰 네 개를 남깁니다. `top_p=0.8`은 필요한 만큼만 남깁니다. 모델이 확신하면 조금, 그렇지 않으면 많이 남깁니다.

# %%
@demonstrate
def _demo():
    knob_logits = np.array([3.0, 2.6, 2.2, 1.5, 1.3, 0.9, 0.4, 0.0, -0.4, -0.9, -1.5, -2.2])
    distributions = {"sharp": 1.6 * knob_logits, "flat": 0.4 * knob_logits}
    # ko: distributions = {"뾰족함 (sharp)": 1.6 * knob_logits, "평평함 (flat)": 0.4 * knob_logits}
    settings = ({}, {"temperature": 0.5}, {"top_k": 4}, {"top_p": 0.8})
    figure, axes = plt.subplots(2, 4, figsize=(12, 4.6), sharex=True, sharey="row", layout="constrained")
    for row, (name, some_logits) in zip(axes, distributions.items(), strict=True):
        plain = np.exp(some_logits) / np.exp(some_logits).sum()
        for ax, options in zip(row, settings, strict=True):
            drawn = to_numpy(sample(np.repeat(some_logits[None], 20_000, axis=0), np.random.default_rng(1), **options)).astype(int)
            ax.bar(range(12), np.bincount(drawn, minlength=12) / len(drawn), color="#8a6d3b")
            ax.step(np.arange(13) - 0.5, [*plain, plain[-1]], where="post", color="#3d4a5c", linewidth=1)
            knobs = ", ".join(f"{knob}={value:g}" for knob, value in options.items()) or "softmax(logits)"
            ax.set_title(f"{name}: {knobs}", fontsize=10)
    for ax in axes[1]:
        ax.set_xlabel("token")
        # ko: ax.set_xlabel("토큰 (token)")
        ax.set_xticks(range(0, 12, 2))
    for ax in axes[:, 0]:
        ax.set_ylabel("share")
        # ko: ax.set_ylabel("비율 (share)")
    plt.show()

# %% [markdown]
# Now the trained decoder. First as a translator: it gets the Korean half of held-out lines and goes on with the likeliest
# tokens. Then freely, from `<bos>` alone: does what it says hold together, that is, do both halves say the same number? (The cell takes
# a minute or two: 18 times 300 lines, each token with a pass through the whole line. Task 6 is about that.)
#
# <!-- ko -->
# 이제 학습된 디코더입니다. 먼저 번역기로 써서, 남겨 둔 줄의 한국어 절반을 주고 가장 그럴듯한 토큰으로 잇게 합니다. 그다음에는 `<bos>`만
# 주고 자유롭게 말하게 합니다. 앞뒤가 맞는 말을 할까요? 곧, 두 절반이 같은 수를 말할까요? (이 셀은 1~2분 걸립니다. 300줄씩 18번이고, 토큰마다
# 줄 전체가 모델을 지나갑니다. 과제 6이 바로 이 이야기입니다.)

# %%
@demonstrate
def _demo():
    def go_on(model, rows, given, rng, **options):
        """
        Let a decoder complete rows with your `sample`, until the second <eos> of each.
        # ko: 여러분의 `sample`로 디코더가 행을 잇게 합니다. 행마다 두 번째 <eos>까지입니다.

        Args:
        # ko: 인수:
            model: ids (batch, seq_len) -> logits (batch, seq_len, vocab_size), causal.
            # ko: model: ID (batch, seq_len) -> 로짓 (batch, seq_len, vocab_size), 인과적.
            rows: (batch, LINE_LEN).
            given: (batch,), how many tokens of each row are given.
            # ko: given: (batch,), 행마다 주어진 토큰의 수.
            rng, options: what is handed on to `sample`.
            # ko: rng, options: `sample`에 넘길 것.

        Returns:
        # ko: 반환값:
            (batch, LINE_LEN), padded.
            # ko: (batch, LINE_LEN), 남는 자리는 패딩.
        """
        ids = np.where(np.arange(LINE_LEN) < given[:, None], rows, PAD).astype("int32")
        for position in range(1, LINE_LEN):
            logits = to_numpy(model(ids))[:, position - 1]
            tokens = to_numpy(sample(logits, rng, **options))
            ended = (ids[:, :position] == EOS).sum(axis=1) >= 2
            ids[:, position] = np.where(position < given, ids[:, position], np.where(ended, PAD, tokens))
        return ids

    def value_of(words):
        """Return the number that English words say, as far as they make sense."""
        # ko: """영어 단어들이 말하는 수를 말이 되는 만큼 돌려줍니다."""
        total = group = 0
        for word in words:
            if word == "hundred":
                group *= 100
            elif word in ("thousand", "million", "billion"):
                total, group = total + group * 1000, 0
            else:
                small = WORDS.index(word) + 1
                group += small if small < 20 else 10 * (small - 18)
        return total + group

    def holds_together(row):
        """Whether both halves of a row say the same number, rightly."""
        # ko: """한 행의 두 절반이 같은 수를 올바르게 말하는지 알려 줍니다."""
        words = [TOKENS[int(i)] for i in row]
        said = value_of([word for word in words if word in WORDS])
        return 0 < said < 10**6 and (to_lines([said])[0] == row).all()

    if _decoder is not None:
        halves = (np.cumsum(test_lines == EOS, axis=1) == 0).sum(axis=1) + 1
        translated = go_on(_decoder, test_lines, halves, np.random.default_rng(1), temperature=0)
        print(f"{(translated == test_lines).all(axis=1).mean():.1%} of {len(test_lines)} held-out numbers are translated without a mistake.")
        # ko: print(f"남겨 둔 수 {len(test_lines)}개 가운데 틀리지 않고 번역한 비율은 {(translated == test_lines).all(axis=1).mean():.1%}입니다.")
        starts = np.full((300, LINE_LEN), BOS)
        temperatures = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
        figure, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
        for name, options in (("all tokens", {}), ("top_p=0.9", {"top_p": 0.9}), ("top_k=3", {"top_k": 3})):
        # ko: for name, options in (("모든 토큰 (all)", {}), ("top_p=0.9", {"top_p": 0.9}), ("top_k=3", {"top_k": 3})):
            sense = []
            for temperature in temperatures:
                said = go_on(_decoder, starts, np.ones(300), np.random.default_rng(2), temperature=temperature, **options)
                sense.append(np.mean([holds_together(row) for row in said]))
                if temperature in (0.5, 2.0) and not options:
                    print(f"temperature {temperature}:")
                    # ko: print(f"온도 {temperature}:")
                    for row in said[:3]:
                        print("  ", " ".join(TOKENS[i] for i in row if i != PAD))
            print(f"{name}: {', '.join(f'{share:.2f}' for share in sense)} hold together, from the lowest temperature to the highest")
            # ko: print(f"{name}: 앞뒤가 맞는 비율 {', '.join(f'{share:.2f}' for share in sense)} (낮은 온도부터)")
            ax.plot(temperatures, sense, marker="o", label=name)
        ax.set(xlabel="temperature", ylabel="share that holds together", ylim=(-0.05, 1.05))
        # ko: ax.set(xlabel="온도 (temperature)", ylabel="앞뒤가 맞는 비율 (share)", ylim=(-0.05, 1.05))
        ax.legend()
        plt.show()

# %% [markdown]
# > <details><summary>What holds together</summary>
# >
# > The lower the temperature, the more lines hold together: the decoder keeps to what it is nearly sure of. The higher it is, the more
# > often an unlikely token slips in, and one is enough to spoil a line. top-k and top-p leave out the unlikely tokens, which helps most where the temperature is high.
# >
# > </details>
#
# ## Task 6: a key-value cache (3 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# The helper `go_on` in the cell above wastes nearly all of its work: for every new token the whole line goes through the model again. Under a
# look-ahead mask nothing that comes later changes what an earlier position computes. So its keys and values can be **kept**,
# and for a new token only its own query, key and value are computed:
#
# | step $t$ | shape |
# |---|---|
# | `x`: the newest position alone | `(batch, 1, d_model)` |
# | its query, key and value, split into heads | `(batch, num_heads, 1, head_dim)` |
# | keys and values: those of the cache, and behind them the new one | `(batch, num_heads, past_len + 1, head_dim)` |
# | the query attends to all of them. There is no mask: nothing in the cache lies in its future | `(batch, num_heads, 1, past_len + 1)` |
# | heads merged, times `w_output` | `(batch, 1, d_model)` |
#
# Head $h$ has the features `h * head_dim` to `(h + 1) * head_dim - 1`, as in notebook 03; scores are divided by
# $\sqrt{\text{head\_dim}}$. There are no biases. The function changes nothing: it returns the output and a new cache, and the earlier
# inputs are never seen again. The outputs of all steps have to equal those of one pass over the whole sequence.
#
# <details><summary>Hint 1: What is computed for the new position?</summary>
#
# Its query, key and value alone: three products with (batch, 1, d_model), each split into heads as in notebook 03, to (batch,
# num_heads, 1, head_dim).
#
# </details>
#
# <details><summary>Hint 2: How does the cache grow?</summary>
#
# The new key goes *behind* the kept ones, along the axis of the positions, which is axis 2: `np.concatenate` makes a new array and
# leaves the old one alone. With `None` there is nothing in front.
#
# </details>
#
# <details><summary>Hint 3: And then?</summary>
#
# Attention as always, without a mask: scores by $\sqrt{\text{head\_dim}}$, softmax over all kept positions (subtract the largest
# score first), times the values, heads merged, times `w_output`.
#
# </details>
#
# <!-- ko -->
# > <details><summary>언제 앞뒤가 맞을까요?</summary>
# >
# > 온도가 낮을수록 앞뒤가 맞는 줄이 많습니다. 디코더가 거의 확신하는 것만 말하기 때문입니다. 온도가 높을수록 엉뚱한 토큰이 자주 끼어들고, 하나만 끼어들어도 그 줄은
# > 틀립니다. top-k와 top-p는 엉뚱한 토큰을 빼므로 온도가 높을 때 가장 도움이 됩니다.
# >
# > </details>
#
# ## 과제 6: 키-값 캐시 (3점)
#
# *난이도 3/5, 40분쯤.*
#
# 위 셀의 함수 `go_on`은 한 일을 거의 다 버립니다. 새 토큰이 나올 때마다 줄 전체가 다시 모델을 지나갑니다. 룩어헤드 마스크를 쓰면 뒤에 오는 것은 앞의
# 위치가 계산하는 것을 바꾸지 못합니다. 그러니 앞의 키(key)와 값(value)을 **남겨 두고**, 새 토큰에 대해서는 그 자신의
# 쿼리(query), 키, 값만 계산하면 됩니다.
#
# | $t$번째 걸음 | 모양 |
# |---|---|
# | `x`: 새 위치 하나 | `(batch, 1, d_model)` |
# | 그 쿼리, 키, 값을 헤드로 나눈 것 | `(batch, num_heads, 1, head_dim)` |
# | 키와 값: 캐시의 것 뒤에 새것을 붙인 것 | `(batch, num_heads, past_len + 1, head_dim)` |
# | 쿼리가 그 모두를 봅니다. 캐시에는 미래가 없으므로 마스크가 필요 없습니다 | `(batch, num_heads, 1, past_len + 1)` |
# | 헤드를 합치고 `w_output`을 곱한 것 | `(batch, 1, d_model)` |
#
# 3번 노트북에서처럼 헤드 $h$의 특징은 `h * head_dim`부터 `(h + 1) * head_dim - 1`까지이고, 점수(score)는 $\sqrt{\text{head\_dim}}$으로
# 나눕니다. 편향(bias)은 없습니다. 이 함수는 아무것도 바꾸지 않고 출력과 새 캐시를 돌려주며, 앞의 입력을 다시 보는 일은 없습니다. 모든 걸음의
# 출력은 시퀀스 전체를 한 번에 계산한 출력과 같아야 합니다.
#
# <details><summary>힌트 1: 새 위치에서는 무엇을 계산할까요?</summary>
#
# 그 위치의 쿼리, 키, 값만 계산합니다. (batch, 1, d_model)에 세 행렬을 곱하고, 3번 노트북에서처럼 헤드로 나누어 (batch, num_heads, 1,
# head_dim)으로 만듭니다.
#
# </details>
#
# <details><summary>힌트 2: 캐시는 어떻게 길어질까요?</summary>
#
# 새 키를 위치의 축, 곧 축 2를 따라 남겨 둔 키들의 *뒤에* 붙입니다. `np.concatenate`는 새 배열을 만들고 옛 배열은 그대로 둡니다.
# `None`이면 앞에 아무것도 없습니다.
#
# </details>
#
# <details><summary>힌트 3: 그다음은?</summary>
#
# 늘 하던 어텐션이고 마스크는 없습니다. 점수를 $\sqrt{\text{head\_dim}}$으로 나누고, 남겨 둔 모든 위치에서 소프트맥스를 구하고(가장 큰
# 점수를 먼저 뺍니다), 값을 곱하고, 헤드를 합치고, `w_output`을 곱합니다.
#
# </details>


# %% task="kv-cache"
def cached_attention_step(x, cache, w_query, w_key, w_value, w_output, num_heads):
    """
    Attend from the newest position to itself and to all earlier ones.
    # ko: 새 위치에서 자기 자신과 앞의 모든 위치를 봅니다.

    Args:
    # ko: 인수:
        x: (batch, 1, d_model), the newest position.
        # ko: x: (batch, 1, d_model), 새 위치.
        cache: None at the first position, then what the last step returned: a tuple (keys, values), each
        # ko: cache: 첫 위치에서는 None, 그 뒤로는 앞 걸음이 돌려준 튜플 (keys, values). 모양은 각각
            (batch, num_heads, past_len, head_dim), head_dim = d_model // num_heads.
        w_query, w_key, w_value, w_output: (d_model, d_model).
        num_heads: divides d_model.
        # ko: num_heads: 헤드의 수. d_model이 이 수로 나누어떨어집니다.

    Returns:
    # ko: 반환값:
        output: (batch, 1, d_model).
        cache: a tuple (keys, values), each (batch, num_heads, past_len + 1, head_dim).
        # ko: cache: 튜플 (keys, values). 모양은 각각 (batch, num_heads, past_len + 1, head_dim).
    """
    ### BEGIN SOLUTION
    batch, _, d_model = x.shape

    def heads(w):  # (d_model, d_model) -> (batch, num_heads, 1, head_dim)
        return (x @ w).reshape(batch, 1, num_heads, -1).transpose(0, 2, 1, 3)

    query, keys, values = heads(w_query), heads(w_key), heads(w_value)
    if cache is not None:
        keys, values = np.concatenate([cache[0], keys], axis=2), np.concatenate([cache[1], values], axis=2)
    scores = query @ keys.transpose(0, 1, 3, 2) / np.sqrt(query.shape[-1])  # (batch, num_heads, 1, past_len + 1)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    merged = (weights @ values).transpose(0, 2, 1, 3).reshape(batch, 1, d_model)
    return merged @ w_output, (keys, values)
    ### END SOLUTION


# %% grade="kv-cache" points=3
@checking("cached_attention_step")
def _check(check):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 4, 6)).astype("float32")
    w_query, w_key, w_value, w_output = rng.normal(size=(4, 6, 6)).astype("float32")
    answer = cached_attention_step(x[:, :1], None, w_query, w_key, w_value, w_output, 3)
    check.true(answer is not None, "it returns something", "it returned None. Is the `return` missing?")
    # ko: check.true(answer is not None, "무언가를 돌려준다", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    check.true(
        isinstance(answer, (tuple, list)) and len(answer) == 2 and isinstance(answer[1], (tuple, list)) and len(answer[1]) == 2,
        "it returns (output, (keys, values))",
        # ko: "(output, (keys, values))를 돌려준다",
        "it should return (output, (keys, values)).",
        # ko: "(output, (keys, values))를 돌려주어야 합니다.",
    )
    output, cache = answer
    check.shape(output, (2, 1, 6), "(batch, 1, d_model)")
    for part, name in zip(cache, ("keys", "values"), strict=True):
        check.shape(part, (2, 3, 1, 2), f"{name} (batch, num_heads, 1, head_dim)")
    check.close(
        output,
        x[:, :1] @ w_value @ w_output,
        "the first position sees itself alone",
        # ko: "첫 위치는 자기 자신만 본다",
        otherwise="Without a cache its only weight is 1: what comes out is its own value, the heads merged in their order, times `w_output`.",
        # ko: otherwise="캐시가 없으면 가중치는 1 하나뿐입니다. 자기 값에서 헤드를 차례대로 합치고 `w_output`을 곱한 것이 나와야 합니다.",
    )
    query, key, value = (to_numpy(x @ w).reshape(2, 4, 3, 2).transpose(0, 2, 1, 3) for w in (w_query, w_key, w_value))
    check.close(
        cache[0],
        key[:, :, :1],
        "the first key of the cache",
        # ko: "캐시의 첫 키",
        hints={"these are the values: the order is (keys, values).": value[:, :, :1]},
        # ko: hints={"이것은 값입니다. 순서는 (keys, values)입니다.": value[:, :, :1]},
        otherwise="The key of a position is x times `w_key`, split into heads.",
        # ko: otherwise="한 위치의 키는 x에 `w_key`를 곱해 헤드로 나눈 것이어야 합니다.",
    )
    outputs = [output]
    for position in range(1, 4):
        given, before = cache, [np.array(to_numpy(part)) for part in cache]
        output, cache = cached_attention_step(x[:, position : position + 1], cache, w_query, w_key, w_value, w_output, 3)
        outputs.append(output)
        check.true(
            all(np.array_equal(to_numpy(part), old) for part, old in zip(given, before, strict=True)),
            f"step {position + 1} leaves the cache that came in as it was",
            # ko: f"{position + 1}번째 걸음에서 받은 캐시가 그대로다",
            "it changed the cache that it was given: put the new key and value into new arrays.",
            # ko: "받은 캐시를 바꾸었습니다. 새 키와 값은 새 배열에 넣으세요.",
        )
    check.shape(cache[0], (2, 3, 4, 2), "keys after four steps (batch, num_heads, 4, head_dim)")
    # ko: check.shape(cache[0], (2, 3, 4, 2), "네 걸음 뒤의 keys (batch, num_heads, 4, head_dim)")
    check.close(
        cache[0],
        key,
        "the keys of the cache, the newest one last",
        # ko: "캐시의 키, 새것이 맨 뒤",
        hints={
            "the new key stands in front of the old ones. It comes behind them.": key[:, :, ::-1],
            # ko: "새 키가 앞의 키들보다 앞에 있습니다. 뒤에 와야 합니다.": key[:, :, ::-1],
        },
        otherwise="The key of a position is x times `w_key`, split into heads, and stays as it is from step to step.",
        # ko: otherwise="한 위치의 키는 x에 `w_key`를 곱해 헤드로 나눈 것이고, 다음 걸음에서도 그대로여야 합니다.",
    )

    def whole(divisor):
        scores = query @ key.transpose(0, 1, 3, 2) / divisor - 1e9 * np.triu(np.ones((4, 4)), 1)
        merged = (to_numpy(ops.softmax(scores)) @ value).transpose(0, 2, 1, 3).reshape(2, 4, 6)
        return merged @ w_output

    check.close(
        np.concatenate([to_numpy(output) for output in outputs], axis=1),
        whole(2**0.5),
        "four steps give what one pass over four positions gives",
        # ko: "네 걸음의 출력이 위치 네 개를 한 번에 계산한 출력과 같다",
        hints={
            "the scores are not divided by the root of head_dim.": whole(1.0),
            # ko: "점수를 head_dim의 제곱근으로 나누지 않았습니다.": whole(1.0),
            "the scores are divided by the root of d_model; it should be that of head_dim.": whole(6**0.5),
            # ko: "점수를 d_model의 제곱근으로 나누었습니다. head_dim의 제곱근이어야 합니다.": whole(6**0.5),
            "the scores are divided by head_dim, not by its root.": whole(2.0),
            # ko: "점수를 head_dim의 제곱근이 아니라 head_dim으로 나누었습니다.": whole(2.0),
        },
        otherwise="The keys are right, and so is the first step. Look at the queries, the softmax over all kept positions (without a mask), and the values of the cache.",
        # ko: otherwise="키와 첫 걸음은 맞습니다. 쿼리, 남겨 둔 모든 위치에 걸친 소프트맥스(마스크는 없습니다), 캐시의 값을 살펴보세요.",
    )
    cache = None
    for token in (1000 * x[:, :1], 1000 * x[:, 1:2]):
        with np.errstate(all="ignore"):
            output, cache = cached_attention_step(token, cache, w_query, w_key, w_value, w_output, 3)
    if not np.isfinite(to_numpy(output)).all():
        check.note("large scores become NaN in its softmax: subtract the largest score of each query first.")
        # ko: check.note("점수가 크면 소프트맥스에서 NaN이 됩니다. 쿼리마다 가장 큰 점수를 먼저 빼세요.")
_check

# %% [markdown]
# ### What it saves
#
# Here is a decoder of two blocks in NumPy, with random weights, that can do both: run the whole sequence through
# (`whole_pass`), or one token with the caches of its blocks (`one_step`, which calls your function). The next cell only defines it; the one after lets it
# take 512 steps, compares the outputs and measures both. How many multiplications are saved is certain: with $n$ tokens, all but one part in
# $n$. How much time that is depends on the computer and on what else it does. (With `ops` a step pays for each call: short lines may even be slower.)
#
# <!-- ko -->
# ### 얼마나 아끼는가
#
# 가중치가 무작위인 두 블록짜리 디코더를 NumPy로 만들었습니다. 두 가지를 다 할 수 있습니다. 시퀀스 전체를 한 번에 계산하거나
# (`whole_pass`), 블록마다의 캐시를 가지고 토큰 하나만 계산합니다(`one_step`, 여러분의 함수를 부릅니다). 다음 셀은 정의만 합니다. 그다음 셀은 그것으로 512걸음을 계산하고,
# 출력을 견주고, 둘의 시간을 잽니다. 곱셈을 얼마나 아끼는지는 정해져 있습니다. 토큰이 $n$개이면 $n$분의 1만 남습니다. 시간을 얼마나 아끼는지는
# 컴퓨터와 그때 하는 다른 일에 따라 다릅니다. (`ops`로 작성하면 호출마다 드는 비용 때문에 짧은 줄에서는 오히려 느릴 수 있습니다.)

# %% locked="stack"
class Stack:
    """Pre-norm decoder blocks in NumPy with random weights, over vectors (batch, seq_len, d_model)."""
    # ko: """벡터 (batch, seq_len, d_model)을 다루는, 가중치가 무작위인 NumPy 사전 정규화 디코더 블록들."""

    def __init__(self, num_layers=2, d_model=256, num_heads=8, ff_dim=1024, seed=0):
        rng = np.random.default_rng(seed)
        shapes = [(d_model, d_model)] * 4 + [(d_model, ff_dim), (ff_dim, d_model)]
        self.layers = [
            [(rng.normal(size=shape) / shape[0] ** 0.5).astype("float32") for shape in shapes] for _ in range(num_layers)
        ]
        self.num_heads = num_heads

    def whole_pass(self, x):
        """Compute all positions at once under a look-ahead mask."""
        # ko: """룩어헤드 마스크를 쓰고 모든 위치를 한꺼번에 계산합니다."""
        batch, length, d_model = x.shape
        ahead = np.triu(np.full((length, length), -np.inf, dtype="float32"), 1)

        def heads(y):
            return y.reshape(batch, length, self.num_heads, -1).transpose(0, 2, 1, 3)

        for w_query, w_key, w_value, w_output, w_in, w_out in self.layers:
            y = self.norm(x)
            query, key, value = heads(y @ w_query), heads(y @ w_key), heads(y @ w_value)
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(query.shape[-1] ** 0.5) + ahead
            likelihoods = np.exp(scores - scores.max(-1, keepdims=True))
            weights = likelihoods / likelihoods.sum(-1, keepdims=True)
            x = x + (weights @ value).transpose(0, 2, 1, 3).reshape(x.shape) @ w_output
            x = x + np.maximum(self.norm(x) @ w_in, 0) @ w_out
        return x

    def one_step(self, x, caches):
        """Compute one position (batch, 1, d_model) with a cache for each block; the new caches come back too."""
        # ko: """블록마다의 캐시로 한 위치 (batch, 1, d_model)를 계산합니다. 새 캐시도 돌려줍니다."""
        new = []
        for cache, (*attention, w_in, w_out) in zip(caches, self.layers, strict=True):
            output, cache = cached_attention_step(self.norm(x), cache, *attention, self.num_heads)
            new.append(cache)
            x = x + to_numpy(output)
            x = x + np.maximum(self.norm(x) @ w_in, 0) @ w_out
        return x, new

    @staticmethod
    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + np.float32(1e-6))


# %%
@demonstrate
def _demo():
    stack = Stack()
    walked = np.random.default_rng(1).normal(size=(1, 512, 256)).astype("float32")
    caches, outputs, step_seconds = [None] * len(stack.layers), [], []
    for position in range(512):
        began = time.perf_counter()
        output, caches = stack.one_step(walked[:, position : position + 1], caches)
        step_seconds.append(time.perf_counter() - began)
        outputs.append(output)
    difference = np.abs(np.concatenate(outputs, axis=1) - stack.whole_pass(walked)).max()
    print(f"512 steps and one pass differ by at most {difference:.1e}")
    # ko: print(f"512걸음의 출력과 한 번에 계산한 출력의 차이는 최대 {difference:.1e}입니다")

    lengths = np.array([16, 32, 64, 128, 256, 512])
    passes = {length: [] for length in lengths}
    for length in 7 * list(lengths):  # in turns: what else the machine does meets all of them
    # ko: for length in 7 * list(lengths):  # 번갈아 재면, 컴퓨터가 하는 다른 일의 영향이 고르게 나뉩니다
        began = time.perf_counter()
        stack.whole_pass(walked[:, :length])
        passes[length].append(time.perf_counter() - began)
    whole_seconds = [min(passes[length]) for length in lengths]
    cached_seconds = [min(step_seconds[length - 8 : length]) for length in lengths]
    speed_up = np.array(whole_seconds) / np.array(cached_seconds)
    # multiplications of a block for a token: projections and feed-forward network, then scores and weighted values
    # ko: # 토큰 하나에 블록 하나가 하는 곱셈: 투영과 피드포워드 신경망, 그리고 점수와 가중 평균
    for_token, for_pair = 4 * 256**2 + 2 * 256 * 1024, 2 * 256
    counted = lengths * (for_token + lengths * for_pair) / (for_token + lengths * for_pair)
    for length, factor, fewer in zip(lengths, speed_up, counted, strict=True):
        print(f"{length:4d} tokens: {factor:6.1f} times as fast with the cache, {fewer:4.0f} times fewer multiplications")
        # ko: print(f"토큰 {length:4d}개: 캐시가 있으면 속도는 {factor:6.1f}배, 곱셈은 {fewer:4.0f}분의 1입니다")
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.2), layout="constrained")
    left.loglog(lengths, 1000 * np.array(whole_seconds), marker="o", color="#c65d3b", label="whole line again")
    # ko: left.loglog(lengths, 1000 * np.array(whole_seconds), marker="o", color="#c65d3b", label="줄 전체를 다시 (again)")
    left.loglog(lengths, 1000 * np.array(cached_seconds), marker="o", color="#3d4a5c", label="with the cache")
    # ko: left.loglog(lengths, 1000 * np.array(cached_seconds), marker="o", color="#3d4a5c", label="캐시 사용 (cache)")
    left.set(title="one more token", xlabel="tokens so far", ylabel="milliseconds", xticks=lengths)
    # ko: left.set(title="토큰 하나 더 쓰기", xlabel="지금까지의 토큰 수 (tokens)", ylabel="밀리초 (ms)", xticks=lengths)
    left.set_xticks(lengths, lengths)
    left.minorticks_off()
    left.legend()
    right.bar(range(len(lengths)), speed_up, color="#8aa37b")
    for place, factor in enumerate(speed_up):
        right.text(place, factor, f"{factor:.1f}", ha="center", va="bottom", fontsize=9)
    right.set_xticks(range(len(lengths)), lengths)
    right.margins(y=0.12)
    right.set(title="times as fast with the cache", xlabel="tokens so far")
    # ko: right.set(title="캐시가 있으면 몇 배 빠른가 (speed-up)", xlabel="지금까지의 토큰 수 (tokens)")
    plt.show()

# %% [markdown]
# ### The cache in your trained decoder
#
# The stack above has random weights. Your decoder of task 3 has learnt something. The next cell reads that decoder's weights, computes with them in NumPy and translates held-out
# lines. It can read pre-norm blocks with ReLU, and with Keras's attention or yours of notebook 03, whether the embedding is scaled or not, if the layers are made in the order in which they are used (so the last normalisation behind the blocks); a decoder of another kind it can't, and says so. It translates twice: once
# with the whole line again for every token, once with your function and a cache for each block. Are the words the same? How much faster is it?
#
# (Your function has no biases, the trained attention has some. A key's bias adds the same to all scores of a query, so the softmax doesn't see it; a value's comes out as a constant; and the query's is put
# in by a shift of the input, which is another constant for keys and values. So the cell can use your function as it is.)
#
# <!-- ko -->
# ### 학습한 디코더에 캐시 쓰기
#
# 위의 스택은 가중치가 무작위입니다. 과제 3의 디코더는 배운 것이 있습니다. 다음 셀은 그 가중치를 읽어 NumPy로 계산하고, 학습에 쓰지 않은 줄을 번역합니다. 읽을 수 있는 디코더는 사전 정규화 블록과 ReLU를 쓰고, 어텐션으로 케라스의 계층이나 3번
# 노트북에서 만든 계층을 쓴 것입니다. 임베딩에 제곱근을 곱했든 아니든 괜찮지만, 계층은 쓰는 순서대로 만들었어야 합니다(마지막 정규화는 블록 다음에). 읽을 수 없으면 그렇다고 말합니다. 번역은 두 번 합니다. 한 번은 토큰마다 줄 전체를 다시 계산하고, 한 번은 블록마다 캐시를 두고 여러분의 함수를 씁니다. 같은 단어가 나올까요? 얼마나 빨라질까요?
#
# (여러분의 함수에는 편향이 없지만 학습한 어텐션에는 있습니다. 키의 편향은 한 쿼리의 모든 점수에 같은 수를 더하므로 소프트맥스에는 보이지 않고, 값의 편향은 상수로 나오고, 쿼리의 편향은 입력에 어떤 벡터를 더해서 나타냅니다. 이
# 벡터는 키와 값에는 또 하나의 상수일 뿐입니다. 그래서 여러분의 함수를 그대로 쓸 수 있습니다.)

# %%
@demonstrate
def _demo():
    def sublayers(layer):
        for inner in layer._layers:
            yield inner
            yield from sublayers(inner)

    def dense(layer, *names):
        """Kernel and bias of a sublayer as (64, 64) and (64,)."""
        # ko: """하위 계층의 커널과 편향을 모양 (64, 64)와 (64,)로."""
        inner = next(getattr(layer, name) for name in names if hasattr(layer, name))
        bias = getattr(inner, "bias", None)
        return to_numpy(inner.kernel).reshape(64, 64).astype("float64"), np.zeros(64) if bias is None else to_numpy(bias).reshape(64).astype("float64")

    class Read:
        """A trained decoder in NumPy, its weights read off the model."""
        # ko: """모델에서 읽어 낸 가중치로 NumPy에서 계산하는, 학습한 디코더."""

        def __init__(self, model):
            layers = list(dict.fromkeys(sublayers(model)))
            attentions = [layer for layer in layers if hasattr(layer, "_query_dense") or (hasattr(layer, "query_dense") and hasattr(layer, "output_dense"))]
            denses = [layer for layer in layers if isinstance(layer, keras.layers.Dense)]
            kernel_and_bias = lambda layer: (to_numpy(layer.kernel).astype("float64"), 0.0 if layer.bias is None else to_numpy(layer.bias).astype("float64"))
            self.widen, self.narrow = ([kernel_and_bias(layer) for layer in denses if tuple(layer.kernel.shape) == shape] for shape in ((64, 128), (128, 64)))
            self.last = next(kernel_and_bias(layer) for layer in denses if tuple(layer.kernel.shape) == (64, VOCAB_SIZE))
            self.table = next(to_numpy(weight).astype("float64") for weight in model.weights if tuple(weight.shape) == (VOCAB_SIZE, 64))
            self.norms = [(to_numpy(layer.gamma), to_numpy(layer.beta), layer.epsilon) for layer in layers if isinstance(layer, keras.layers.LayerNormalization)]
            parts = (("_query_dense", "query_dense"), ("_key_dense", "key_dense"), ("_value_dense", "value_dense"), ("_output_dense", "output_dense"))
            self.attentions = [[dense(layer, *names) for names in parts] for layer in attentions]
            angles = np.arange(LINE_LEN)[:, None] * 10000.0 ** (-np.arange(0, 64, 2) / 64)
            self.places, self.scale = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(LINE_LEN, 64), 1.0

        def norm(self, x, number):
            gamma, beta, epsilon = self.norms[number]
            return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + epsilon) * gamma + beta

        def pass_through(self, x, attend):
            for block in range(len(self.attentions)):
                x = x + attend(self.norm(x, 2 * block), block)
                hidden = np.maximum(self.norm(x, 2 * block + 1) @ self.widen[block][0] + self.widen[block][1], 0)
                x = x + hidden @ self.narrow[block][0] + self.narrow[block][1]
            return self.norm(x, -1) @ self.last[0] + self.last[1]

        def embedded(self, ids, start=0):
            return self.table[ids] * self.scale + self.places[start : start + ids.shape[1]]

        def whole(self, ids):
            length = ids.shape[1]
            ahead = np.triu(np.full((length, length), -np.inf), 1)

            def attend(y, block):
                query, key, value = ((y @ kernel + bias).reshape(len(y), length, 4, 16).transpose(0, 2, 1, 3) for kernel, bias in self.attentions[block][:3])
                scores = query @ np.swapaxes(key, -2, -1) / 4 + ahead
                likelihoods = np.exp(scores - scores.max(-1, keepdims=True))
                merged = (likelihoods / likelihoods.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(y.shape)
                return merged @ self.attentions[block][3][0] + self.attentions[block][3][1]

            return self.pass_through(self.embedded(ids), attend)

        def one_step(self, newest, position, caches):
            new = list(caches)

            def attend(y, block):
                (w_query, b_query), (w_key, _), (w_value, b_value), (w_output, b_output) = self.attentions[block]
                shift = np.linalg.solve(w_query.T, b_query)  # (y + shift) w_query = y w_query + b_query
                arguments = [array.astype("float32") for array in (y + shift, w_query, w_key, w_value, w_output)]
                output, new[block] = cached_attention_step(arguments[0], caches[block], *arguments[1:], 4)
                return to_numpy(output) + (b_value - shift @ w_value) @ w_output + b_output

            return self.pass_through(self.embedded(newest, position), attend), new

    def write(logits_at, rows, given):
        """Complete rows with the likeliest tokens, until the second <eos> of each."""
        # ko: """줄마다 둘째 <eos>까지 가장 그럴듯한 토큰으로 완성합니다."""
        ids = np.where(np.arange(LINE_LEN) < given[:, None], rows, PAD).astype("int32")
        for position in range(1, LINE_LEN):
            tokens = logits_at(ids, position).argmax(axis=-1)
            ended = (ids[:, :position] == EOS).sum(axis=1) >= 2
            ids[:, position] = np.where(position < given, ids[:, position], np.where(ended, PAD, tokens))
        return ids

    if _decoder is None:
        return
    lines = test_lines[:200]
    try:
        read, gaps = Read(_decoder), {}
        for scale in (1.0, 8.0):  # the embedding as it is, or times the root of d_model
        # ko: for scale in (1.0, 8.0):  # 임베딩을 그대로 쓰거나, d_model의 제곱근을 곱하거나
            read.scale = scale
            gaps[scale] = np.abs(read.whole(lines[:20]) - to_numpy(_decoder(lines[:20])))[lines[:20] != PAD].max()
        read.scale = min(gaps, key=gaps.get)
        gap = gaps[read.scale]
    except Exception:  # made in another way
    # ko: except Exception:  # 다른 방식으로 만든 모델
        gap = np.inf
    if gap > 0.01:
        print("Your decoder is made in another way than this cell can read, or its layers in another order than they are used. Its weights stay where they are.")
        # ko: print("이 셀이 읽을 수 있는 것과 다른 방식으로 만들었거나, 쓰는 순서와 다르게 계층을 만든 디코더입니다. 가중치를 읽지 않습니다.")
        return
    print(f"the weights are read off: the logits differ from your model's by at most {gap:.0e}")
    # ko: print(f"가중치를 읽었습니다. 여러분의 모델과 로짓의 차이는 최대 {gap:.0e}입니다")
    caches = [None] * len(read.attentions)

    def with_cache(ids, position):
        nonlocal caches
        logits, caches = read.one_step(ids[:, position - 1 : position], position - 1, caches)
        return logits[:, 0]

    halves = (np.cumsum(lines == EOS, axis=1) == 0).sum(axis=1) + 1
    began = time.perf_counter()
    again = write(lambda ids, position: read.whole(ids[:, :position])[:, -1], lines, halves)
    between = time.perf_counter()
    cached = write(with_cache, lines, halves)
    seconds = between - began, time.perf_counter() - between
    print(f"{(again == cached).all(axis=1).sum()} of {len(lines)} lines are the same word for word; with the cache {(cached == lines).all(axis=1).mean():.1%} of all lines are right")
    # ko: print(f"{len(lines)}줄 가운데 {(again == cached).all(axis=1).sum()}줄이 단어까지 똑같습니다. 캐시를 쓰면 모든 줄의 {(cached == lines).all(axis=1).mean():.1%}가 옳습니다")
    print(f"the whole line again: {seconds[0]:.2f} s; with the cache: {seconds[1]:.2f} s, {seconds[0] / seconds[1]:.1f} times as fast")
    # ko: print(f"줄 전체를 다시: {seconds[0]:.2f}초, 캐시: {seconds[1]:.2f}초, {seconds[0] / seconds[1]:.1f}배 빠릅니다")

# %% [markdown]
# > **Does this hold?** *"With a cache a token costs the same, however long the line is."* Right or wrong, and why? Write it down before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > Nearly, for short lines: the projections and the feed-forward network cost the same at every step. But the query meets every
# > key of the cache, so attention itself grows with the length; and the cache has to be kept, two vectors of `d_model`
# > numbers for each token and block. For long texts the memory, not the arithmetic, is what limits a model in use. That is why newer
# > models let several heads share their keys and values.
# >
# > </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"캐시가 있으면 줄이 아무리 길어도 토큰 하나의 비용은 같다."* 답을 펼치기 전에 맞는지 틀리는지, 그 까닭도 적어 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 짧은 줄이라면 거의 그렇습니다. 투영(projection)과 피드포워드 신경망은 걸음마다 비용이 같습니다. 하지만 쿼리는 캐시의 모든 키를 만나야
# > 하므로 어텐션 자체는 길이와 함께 늘고, 캐시도 어딘가에 두어야 합니다. 토큰과 블록마다 `d_model`개의 수로 된 벡터가 둘씩입니다. 긴 글에서
# > 모델을 쓸 때 발목을 잡는 것은 계산이 아니라 메모리(저장 공간)입니다. 그래서 요즘 모델은 여러 헤드가 키와 값을 함께 쓰게 합니다.
# >
# > </details>

# %% [markdown]
# ## ★ Can GPT fill a gap? (optional, no points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# Your decoder sees the left side only. Yet it gives a probability to every *line*: the product of the probabilities of all its tokens, each after those before it. So it can fill a gap with both sides
# in view: try every token in the gap and take the one that makes the whole line likeliest (this is Bayes's rule). Padding is no part of the line.
#
# Write `_fill`, and let the next cell, whose code is folded, compare it with a made-up model of which everything is known, and then, on held-out lines, your GPT with your BERT. What does a gap cost each of the two?
#
# <details><summary>Hint 1: How many lines does the model see?</summary>
#
# As many as there are candidates, in one batch: copies of the line that differ in the gap.
#
# </details>
#
# <details><summary>Hint 2: Which log-probabilities are added?</summary>
#
# The logits at position i are about token i + 1. What the tokens before the gap get is the same for all candidates. What the gap's own token gets, one position before it, differs, and so does
# all that comes after it, up to the last token that isn't padding.
#
# </details>
#
# <details><summary>What does a gap cost? (Unfold it last.)</summary>
#
# BERT reads the line once. GPT reads it once for each candidate, here 49 times, and with two gaps once for each pair of candidates.
#
# </details>
#
# <!-- ko -->
# ## ★ GPT도 빈칸을 채울 수 있을까? (선택, 점수 없음)
#
# *난이도 3/5, 40분쯤.*
#
# 디코더는 왼쪽만 봅니다. 그래도 *줄* 전체에 확률을 줍니다. 토큰마다 그 앞의 토큰들 다음에 나올 확률을 모두 곱한 것입니다. 그러니 양쪽을 다 보면서 빈칸을 채울 수 있습니다. 빈칸에 모든 토큰을 넣어 보고 줄 전체를 가장
# 그럴듯하게 만드는 것을 고르면 됩니다(베이즈 정리). 패딩은 줄에 들지 않습니다.
#
# `_fill`을 작성하세요. 접힌 셀은 확률을 모두 아는 가상의 모델로 `_fill`의 답을 확인하고, 이어서 학습에 쓰지 않은 줄에서 여러분의 GPT와 BERT를 비교합니다. 빈칸 하나에 둘은 저마다 얼마나 계산할까요?
#
# <details><summary>힌트 1: 모델에 줄을 몇 개 넣을까요?</summary>
#
# 후보의 수만큼, 배치 하나로 넣습니다. 빈칸만 다른 그 줄의 복사본들입니다.
#
# </details>
#
# <details><summary>힌트 2: 어느 로그 확률을 더할까요?</summary>
#
# 위치 i의 로짓은 토큰 i + 1에 대한 것입니다. 빈칸보다 앞에 있는 토큰의 확률은 모든 후보에서 같습니다. 빈칸 자신의 확률(그 앞 위치의 로짓에서 나옵니다)부터 패딩이 아닌 마지막 토큰의 확률까지는
# 후보마다 다릅니다. 이것을 더하세요.
#
# </details>
#
# <details><summary>빈칸 하나에 얼마나 계산할까요? (맨 나중에 펼치세요.)</summary>
#
# BERT는 줄을 한 번 읽습니다. GPT는 후보마다 한 번씩, 여기서는 49번 읽고, 빈칸이 둘이면 후보의 쌍마다 한 번씩 읽습니다.
#
# </details>


# %%
def _fill(model, line, position, candidates):
    """Return the candidate that, at a position of 1 or more of a line (seq_len,), makes the whole line likeliest; `model`: ids (batch, seq_len) -> logits of the next token."""
    # ko: """줄 (seq_len,)의 위치(1 이상)에 넣었을 때 줄 전체를 가장 그럴듯하게 만드는 후보를 돌려줍니다. `model`: ID (batch, seq_len) -> 다음 토큰의 로짓."""
    raise NotImplementedError()

# %% folded=true
@demonstrate
def _demo():
    rng = np.random.default_rng(11)
    right = {"in the middle": 0, "at the last token": 0, "with padding behind": 0}
    # ko: right = {"줄 가운데에서": 0, "마지막 토큰에서": 0, "뒤에 패딩이 있을 때": 0}
    for _ in range(8):
        shift = rng.normal(0, 3, size=(9, 1))  # of a row's logits, which changes no probability
        # ko: shift = rng.normal(0, 3, size=(9, 1))  # 한 행의 로짓을 모두 옮겨도 확률은 그대로입니다
        table = rng.dirichlet(np.ones(9) / 2, size=9) + 1e-6
        table[:, 0] = rng.permutation(np.logspace(-6, 0, 9))  # what it says of padding mustn't count
        # ko: table[:, 0] = rng.permutation(np.logspace(-6, 0, 9))  # 패딩에 대해 하는 말은 세면 안 됩니다
        logits = np.log(table) + shift
        chain = lambda ids, logits=logits: ops.convert_to_tensor(logits[np.asarray(ids).astype(int)])
        share = table / table.sum(axis=1, keepdims=True)
        line, candidates = rng.integers(3, 9, 7), np.arange(3, 9)
        between = candidates[np.argmax(share[line[2], candidates] * share[candidates, line[4]])]
        at_end = candidates[np.argmax(share[line[5], candidates])]
        padded = np.where(np.arange(7) > 4, 0, line)
        before_padding = candidates[np.argmax(share[line[3], candidates])]
        asked = ((line, 3, between), (line, 6, at_end), (padded, 4, before_padding))
        for where, (row, position, best) in zip(right, asked, strict=True):
            right[where] += int(_fill(chain, row.copy(), position, candidates)) == best
    for where, count in right.items():
        print("✓" if count == 8 else "✗", f"{where}: {count} of 8 gaps as worked out by hand")
        # ko: print("✓" if count == 8 else "✗", f"{where}: 빈칸 8개 가운데 {count}개가 손으로 구한 것과 같다")
    if _decoder is not None and _encoders:
        bert, told = list(_encoders.values())[0], {"BERT": 0, "GPT": 0}
        for line in test_lines[:60]:
            position = int(rng.integers(1, (line != PAD).sum() - 1))
            gapped = np.where(np.arange(LINE_LEN) == position, MASK, line)
            told["BERT"] += to_numpy(bert(gapped[None]))[0, position].argmax() == line[position]
            told["GPT"] += int(_fill(_decoder, line.copy(), position, np.arange(1, VOCAB_SIZE))) == line[position]
        print(", ".join(f"{name}: {count} of 60 gaps" for name, count in told.items()))
        # ko: print(", ".join(f"{name}: 빈칸 60개 가운데 {count}개를 맞힘" for name, count in told.items()))

# %% [markdown]
# ## What you have now
#
# - BERT: hide tokens, fill them in from both sides; the loss looks at the selected tokens only.
# - GPT: hide the future, say what comes next; every position is an example.
# - The same blocks in both. What differs is a mask and where the loss looks.
# - Sampling: temperature, top-k, top-p, in this order. A cache: keep keys and values, and compute one position a step.
#
# **References.** Devlin et al. 2019, *BERT: Pre-training of Deep Bidirectional Transformers*, section 3.1. Radford et al. 2018,
# *Improving Language Understanding by Generative Pre-Training*, section 3.1. Fan et al. 2018, *Hierarchical Neural Story
# Generation*, section 5 (top-k). Holtzman et al. 2020, *The Curious Case of Neural Text Degeneration*, section 3.1 (nucleus).
# Shazeer 2019, *Fast Transformer Decoding: One Write-Head is All You Need* (caches, and sharing them).
#
# <!-- ko -->
# ## 지금 가진 것
#
# - BERT: 토큰을 가리고 양쪽을 보고 채웁니다. 손실은 고른 토큰만 봅니다.
# - GPT: 미래를 가리고 다음에 올 것을 말합니다. 모든 위치가 예입니다.
# - 둘의 블록은 같습니다. 다른 것은 마스크 하나와 손실이 보는 곳입니다.
# - 샘플링: 온도, top-k, top-p를 이 순서로. 캐시: 키와 값을 남겨 두고 한 걸음에 한 위치만 계산하기.
#
# **참고 문헌.** Devlin et al. 2019, *BERT: Pre-training of Deep Bidirectional Transformers*, 3.1절. Radford et al. 2018,
# *Improving Language Understanding by Generative Pre-Training*, 3.1절. Fan et al. 2018, *Hierarchical Neural Story
# Generation*, 5절(top-k). Holtzman et al. 2020, *The Curious Case of Neural Text Degeneration*, 3.1절(뉴클리어스).
# Shazeer 2019, *Fast Transformer Decoding: One Write-Head is All You Need*(캐시, 그리고 여러 헤드가 캐시를 함께 쓰는 법).
