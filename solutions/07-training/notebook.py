# %% [markdown]
# # Training: from Korean numbers to English words
#
# You have a Transformer that has learnt nothing. In this notebook it learns to translate: it reads a number as Koreans say
# it, syllable by syllable, and writes the English words.
#
# | | |
# |---|---|
# | source | 삼 백 이 십 일 (sam baek i sip il) |
# | target | three hundred twenty one |
#
# Why numbers? Korean counts in groups of four digits (만 is 10 000, 억 is 100 000 000), English in groups of three
# (thousand, million, billion). So nothing can be copied: 십이만 is *one hundred twenty thousand*, and the model has to
# find that out. There are as many examples as we like, and whether an answer is right can be checked exactly.
#
# ![You are here: the training of the whole model, and the decoding that writes with it.](../_shared/diagrams/model-07.svg)
#
# | task | what you write | points |
# |---|---|---|
# | 1 | `WarmupSchedule`: the learning rate of the paper | 3 |
# | 2 | `teacher_forcing_pairs`: what the decoder reads, what it is asked for | 2 |
# | 3 | `masked_loss`: cross-entropy without padding, smoothed labels | 4 |
# | 4 | `masked_accuracy` | 2 |
# | 5 | `greedy_decode`: let the model speak | 4 |
# | 6 | `train`: all together, on numbers that you don't know | 5 |
#
# **How it works.** Fill in the cells that say `# YOUR CODE HERE`. The cell below each one holds public checks. Points come
# from other inputs after you hand in, in steps. A mistake in one task does not cost you the points of a later one, except that
# with tasks 3 and 4 in NumPy the training of task 6 fails: what `fit` compiles has to be `ops` (or `tf.*`). Task 1 needs that too, for its full points. Otherwise NumPy, `keras.ops` and `tf.*` all count the same.
#
# **Token ids.** `<pad>` 0, `<bos>` 1, `<eos>` 2, `<unk>` 3; then 14 syllables and 31 words: 49 in all. Sources are
# `(batch, source_len)`, targets `(batch, len)`; rows are filled up with 0.
#
# <!-- ko -->
# # 학습: 한국어로 읽은 수를 영어 단어로
#
# 여러분의 트랜스포머(Transformer)는 아직 아무것도 배우지 않았습니다. 이 노트북에서 학습(training)을 거쳐 번역을 익힙니다.
# 한글로 적은 수를 한 음절씩 읽어 영어 단어로 옮깁니다.
#
# | | |
# |---|---|
# | 소스(source) | 삼 백 이 십 일 (sam baek i sip il) |
# | 타깃(target) | three hundred twenty one |
#
# 왜 하필 수일까요? 한국어는 수를 네 자리씩(만은 10,000, 억은 100,000,000), 영어는 세 자리씩(thousand, million, billion) 끊어
# 읽습니다. 그래서 그대로 베낄 수 있는 것이 없습니다. 십이만은 *one hundred twenty thousand*이고, 모델은 이것을 스스로 알아내야
# 합니다. 예는 얼마든지 만들 수 있고, 답이 맞는지도 정확히 확인할 수 있습니다.
#
# ![지금 여기: 전체 모델의 학습과, 그 모델로 글을 쓰는 디코딩.](../_shared/diagrams/model-07.svg)
#
# | 과제 | 작성할 것 | 배점 |
# |---|---|---|
# | 1 | `WarmupSchedule`: 논문의 학습률(learning rate) | 3 |
# | 2 | `teacher_forcing_pairs`: 디코더(decoder)가 읽는 것과 맞혀야 하는 것 | 2 |
# | 3 | `masked_loss`: 패딩(padding)을 뺀 교차 엔트로피(cross-entropy), 스무딩한 라벨(smoothed label) | 4 |
# | 4 | `masked_accuracy`: 정확도(accuracy) | 2 |
# | 5 | `greedy_decode`: 모델이 스스로 말하게 하기 | 4 |
# | 6 | `train`: 모두 합쳐서, 여러분이 모르는 수로 | 5 |
#
# **진행 방법.** `# YOUR CODE HERE`라고 적힌 셀을 채우세요. 바로 아래 셀에 공개 검사가 있습니다. 점수는 제출한 뒤 다른 입력으로
# 단계별로 매깁니다. 한 과제에서 틀려도 뒤 과제의 점수는 깎이지 않습니다. 다만 과제 3과 4를 NumPy로 쓰면 과제 6의 학습이 실패합니다. `fit`이 컴파일하는 코드는 `ops`(또는 `tf.*`)로 써야 하기 때문입니다. 과제 1도 그렇게 써야 점수를 다 받습니다. 그 밖에는 NumPy, `keras.ops`, `tf.*`를 모두 똑같이 인정합니다.
#
# **토큰 ID.** `<pad>`는 0, `<bos>`는 1, `<eos>`는 2, `<unk>`는 3이고 그다음이 음절 14개와 단어 31개입니다. 토큰(token)은 모두
# 49개입니다. 소스의 모양은 `(batch, source_len)`, 타깃의 모양은 `(batch, len)`이고, 행의 남는 자리는 0으로 채웁니다.

# %% locked="setup" include="quiet_keras.py"
import time
import warnings
from pathlib import Path

import keras
import matplotlib.pyplot as plt
import numpy as np
from keras import ops

# On a GPU with JAX, Keras's attention tries cuDNN's first. Where that refuses a mask, XLA's takes over, and nothing is wrong.
# ko: # JAX와 GPU에서는 케라스의 어텐션이 먼저 cuDNN을 써 봅니다. cuDNN이 마스크를 거부하면 XLA가 대신 계산하므로 잘못된 것이 아닙니다.
logging.getLogger("absl").addFilter(lambda record: "cudnn" not in record.getMessage())
# Keras warns where a layer doesn't hand its mask on (a check below sees whether padding has an effect), and where the numbers of an optimizer aren't loaded.
# ko: # 케라스는 계층이 마스크를 넘겨주지 않거나(패딩이 영향을 주는지는 아래의 검사가 봅니다) 옵티마이저의 값을 불러오지 않으면 경고합니다.
warnings.filterwarnings("ignore", r"Layer\s.*does\snot\ssupport\smasking|Skipping\svariable\sloading\sfor\soptimizer")
to_numpy = ops.convert_to_numpy
PAD, BOS, EOS, UNK = 0, 1, 2, 3
# While the notebook is graded or validated, its own training is left out: the grader trains on numbers of its own.
# ko: # 채점하거나 검사(Validate)하는 동안에는 노트북 자체의 학습을 건너뜁니다. 채점기는 따로 준비한 수로 학습시킵니다.
BEING_GRADED = "NBGRADER_EXECUTION" in os.environ
_NO_CURVES = "There are no curves: `fit` got no `Progress()`, or nothing was trained."
# ko: _NO_CURVES = "곡선이 없습니다. `fit`에 `Progress()`를 주지 않았거나 학습을 하지 않았습니다."


def find_accelerator():
    """Return the accelerator that Keras will use, in words, and a precision that suits it."""
    # ko: """케라스가 쓸 가속기의 이름과 그에 맞는 정밀도를 돌려줍니다."""
    backend = keras.backend.backend()
    if backend == "tensorflow":
        import tensorflow as tf

        devices = tf.config.list_physical_devices("GPU")
        if not devices:
            return "CPU", "float32"
        details = tf.config.experimental.get_device_details(devices[0])
        name, has_bfloat16 = details.get("device_name", "GPU"), details.get("compute_capability", (0, 0)) >= (8, 0)
    elif backend == "torch":
        import torch

        if not torch.cuda.is_available():
            return ("Apple GPU (mps)", "float32") if torch.backends.mps.is_available() else ("CPU", "float32")
        name, has_bfloat16 = torch.cuda.get_device_name(), torch.cuda.get_device_capability() >= (8, 0)
    else:
        import jax

        device = jax.devices()[0]
        capability = str(getattr(device, "compute_capability", ""))  # "7.5", but a name on AMD's
        # ko: capability = str(getattr(device, "compute_capability", ""))  # "7.5", AMD에서는 이름
        is_recent = capability.replace(".", "").isdigit() and float(capability) >= 8
        name, has_bfloat16 = device.device_kind, device.platform == "tpu" or is_recent
    # float16 would be faster on older ones, but overflows at 65 504: a mask of -1e9 is infinite there
    # ko: # 더 오래된 장치에서는 float16이 더 빠르지만 65,504에서 넘칩니다. 거기서 -1e9인 마스크는 무한대가 됩니다
    return name, "mixed_bfloat16" if has_bfloat16 else "float32"


accelerator, precision = ("CPU", "float32") if BEING_GRADED else find_accelerator()
print(f"Keras {keras.__version__} on {keras.backend.backend()} uses: {accelerator}. Training precision: {precision}.")
# ko: print(f"Keras {keras.__version__} ({keras.backend.backend()})가 쓰는 장치: {accelerator}. 학습 정밀도: {precision}.")


class Progress(keras.callbacks.Callback):
    """
    One line that shows how far a training is; keeps the loss and the accuracy of every update but an epoch's last, and the weights of every epoch.
    # ko: 학습이 어디까지 왔는지 한 줄로 보여 주고, 업데이트마다(에폭의 마지막 것은 빼고) 손실과 정확도를, 에폭마다 가중치를 기록합니다.
    """

    latest = None

    def on_train_begin(self, logs=None):
        Progress.latest = self
        self.began, self.updates, self.loss, self.accuracy, self.weights = time.time(), 0, [], [], []

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch, self.before = epoch, self.updates

    def on_train_batch_end(self, batch, logs=None):
        self.updates += 1
        if self.updates == 1:
            self.first = time.time()  # it compiled; the others are faster
            # ko: self.first = time.time()  # 첫 업데이트에는 컴파일이 들어 있습니다. 나머지는 더 빠릅니다
        count, steps = self.updates - self.before, self.params["steps"] or 1
        if count < steps:  # Keras tells means since the epoch began; the last batch is smaller and would count too much
        # ko: if count < steps:  # 케라스는 에폭 시작부터의 평균을 알려 줍니다. 더 작은 마지막 배치는 너무 크게 반영되므로 뺍니다
            self.loss.append((count, float(logs["loss"])))
            self.accuracy.append((count, float(logs.get("masked_accuracy", np.nan))))
        total = self.params["epochs"] * steps
        if self.updates % 10 == 0 or self.updates == total:
            done = round(30 * self.updates / total)
            bar = "█" * done + "░" * (30 - done)
            left = (time.time() - self.first) / max(1, self.updates - 1) * (total - self.updates)
            numbers = f"loss {logs['loss']:.4f}, accuracy {logs.get('masked_accuracy', np.nan):.4f}"
            # ko: numbers = f"손실 {logs['loss']:.4f}, 정확도 {logs.get('masked_accuracy', np.nan):.4f}"
            print(f"\r{bar} epoch {self.epoch + 1}, {numbers}, {left:.0f} s left ", end="", flush=True)
            # ko: print(f"\r{bar} 에폭 {self.epoch + 1}, {numbers}, {left:.0f}초 남음 ", end="", flush=True)

    def on_epoch_end(self, epoch, logs=None):
        if not BEING_GRADED:
            self.weights.append(self.model.get_weights())

    def on_train_end(self, logs=None):
        print(f"\ndone in {time.time() - self.began:.0f} s")
        # ko: print(f"\n{time.time() - self.began:.0f}초 걸렸습니다")

    @staticmethod
    def each(means):
        """Turn the means since the epoch began into the values of each update."""
        # ko: """에폭 시작부터의 평균을 업데이트마다의 값으로 바꿉니다."""
        counts, values = np.array(means).T
        before = np.concatenate([[0], (counts * values)[:-1]])
        return counts * values - np.where(counts == 1, 0, before)


# %% locked="checks" include="checks.py"

# %% [markdown]
# ## The numbers
#
# 일이삼사오육칠팔구 are the digits, 십백천 are 10, 100, 1000. Each group of four digits is read with these and followed by its
# unit: nothing, 만 ($10^4$), 억 ($10^8$). Zeros are not read. A 1 is silent before 십, 백, 천 (십 is 10, not 일십), and at the
# head of a number also before 만: 만 is 10 000, but 일억 is 100 000 000. Inside a number the 일 stays: 십억일만 is 1 000 010 000.
#
# `draw_numbers` in the next cell draws numbers below $10^{12}$: the count of digits is drawn evenly, three of ten have many zeros (that is
# where the rules are hard), and no number comes twice. So the short ones soon run out: there are only 9 numbers of one digit,
# 90 of two and 900 of three.
#
# <!-- ko -->
# ## 수
#
# 일이삼사오육칠팔구는 숫자이고 십백천은 10, 100, 1000입니다. 네 자리씩 묶어 이것들로 읽고 묶음 뒤에 단위를 붙입니다. 단위는
# 없거나 만($10^4$) 또는 억($10^8$)입니다. 0은 읽지 않습니다. 1은 십, 백, 천 앞에서 읽지 않고(10은 일십이 아니라 십), 수의 맨
# 앞이라면 만 앞에서도 읽지 않습니다. 그래서 10,000은 만이지만 100,000,000은 일억입니다. 수의 중간에서는 일을 읽습니다.
# 1,000,010,000은 십억일만입니다.
#
# 다음 셀의 `draw_numbers`는 $10^{12}$보다 작은 수를 뽑습니다. 자릿수를 고르게 뽑고, 열에 셋은 0이 많으며(규칙이 어려운 곳이 여기입니다), 같은 수는
# 두 번 나오지 않습니다. 그래서 짧은 수는 금세 바닥납니다. 한 자리 수는 9개, 두 자리 수는 90개, 세 자리 수는 900개뿐입니다.

# %% locked="numbers" include="number_words.py"

# %% [markdown]
# ## Your Transformer
#
# Paste `build_transformer` of notebook 06 into the next cell, with everything that it needs from 01 to 06: the positional encoding, the
# masks, the attention if it is yours, `FeedForward`, the two blocks, `TokenEmbedding`. (Paste the code; don't `import` it from other
# notebooks or files.) Whatever depends on the ids, the masks above all, has to compute with `ops` (or `tf.*`): a mask made with NumPy works in this cell and fails in the check below or in `fit`.
# A table that is fixed, such as that of the positions, may be made with NumPy.
# It carries no points, and if something is wrong with it, task 6 is tried once more with
# a right one. If yours doesn't work and you don't find out why, don't stop here: the solution of notebook 06, which your instructor hands out after
# its due date, may be pasted as well, and costs nothing. The interface is
#
# > `build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True,
# > tie_weights=False)`: a `keras.Model` from `[source_ids, target_ids]` to logits `(batch, target_len, vocab_size)`.
#
# <!-- ko -->
# ## 여러분의 트랜스포머
#
# 앞에서 만든 코드(carry-over)가 필요합니다. 6번 노트북의 `build_transformer`와 그것이 쓰는 1번~6번 노트북의 코드를 다음 셀에 모두 붙여
# 넣으세요. 위치 인코딩, 마스크, 직접 만든 어텐션, `FeedForward`, 두 블록, `TokenEmbedding`입니다. (코드를 붙여 넣으세요. 다른 노트북이나 파일에서
# `import`하지는 마세요.) 마스크를 비롯해 ID에 따라 달라지는 것은 모두 `ops`(또는 `tf.*`)로 계산해야 합니다. NumPy로 만든 마스크는 이 셀에서는 되지만 바로 아래 검사나 `fit`에서 실패합니다.
# 위치 인코딩의 표처럼 미리 정해지는 것은 NumPy로 만들어도 됩니다. 이 셀에는 점수가 없습니다. 여기에 틀린 것이 있으면 과제 6은 올바른 코드로
# 한 번 더 채점합니다. 여러분의 코드가 제대로 동작하지 않고 까닭도 찾지 못했다면 여기서 멈추지 마세요. 6번 노트북의 마감 뒤에 나누어 주는 해답을 붙여 넣어도 되고, 점수도 깎이지
# 않습니다. 인터페이스는 다음과 같습니다.
#
# > `build_transformer(vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True,
# > tie_weights=False)`: `[source_ids, target_ids]`를 받아 로짓(logits) `(batch, target_len, vocab_size)`를 내는 `keras.Model`.


# %% carry_over=true
def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    """
    Build the Transformer of notebook 06.
    # ko: 6번 노트북의 트랜스포머를 만듭니다.

    Args:
    # ko: 인수:
        vocab_size: tokens of the one vocabulary; id 0 is padding.
        # ko: vocab_size: 하나로 합친 어휘의 토큰 수. ID 0은 패딩입니다.
        max_len: positions of the longest sequence.
        # ko: max_len: 가장 긴 시퀀스의 위치 수.
        num_layers: encoder blocks, and as many decoder blocks.
        # ko: num_layers: 인코더 블록의 수. 디코더 블록도 같은 수입니다.
        d_model, num_heads, ff_dim, dropout, norm_first: sizes and options of the blocks.
        # ko: d_model, num_heads, ff_dim, dropout, norm_first: 블록의 설정.
        tie_weights: share one embedding matrix between source, target and output.
        # ko: tie_weights: 소스, 타깃, 출력이 임베딩(embedding) 행렬 하나를 함께 씁니다.

    Returns:
    # ko: 반환값:
        keras.Model: [source_ids (batch, source_len), target_ids (batch, target_len)] -> logits (batch, target_len,
        vocab_size).
    """
    ### BEGIN SOLUTION
    angles = np.arange(max_len)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(max_len, d_model).astype("float32")

    class Positions(keras.layers.Layer):
        def call(self, x):
            return x * d_model**0.5 + ops.cast(ops.convert_to_tensor(table)[: ops.shape(x)[1]], x.dtype)

        def compute_output_shape(self, shape):  # JAX and PyTorch can't tell it while the length is open
            return shape

    class TiedOutput(keras.layers.Layer):
        def call(self, x):
            return ops.matmul(x, ops.transpose(ops.cast(target_embedding.embeddings, x.dtype)))

    class NotPadding(keras.layers.Layer):
        def call(self, ids):
            return ops.not_equal(ids, 0)[:, None, :]

    def embedding():
        initializer = keras.initializers.RandomNormal(stddev=d_model**-0.5)
        return keras.layers.Embedding(vocab_size, d_model, embeddings_initializer=initializer)

    def norm(x):
        return keras.layers.LayerNormalization(epsilon=1e-6)(x)

    def dropped(x):
        return keras.layers.Dropout(dropout)(x) if dropout else x

    def residual(x, sublayer):
        if norm_first:
            return keras.layers.Add()([x, dropped(sublayer(norm(x)))])
        return norm(keras.layers.Add()([x, dropped(sublayer(x))]))

    def attention(mask, memory=None, causal=False):
        layer = keras.layers.MultiHeadAttention(num_heads, d_model // num_heads)

        def attend(x):
            return layer(x, x if memory is None else memory, attention_mask=mask, use_causal_mask=causal)

        return attend

    def feed_forward(x):
        return keras.layers.Dense(d_model)(dropped(keras.layers.Dense(ff_dim, activation="relu")(x)))

    source_ids, target_ids = (keras.Input((None,), dtype="int32", name=name) for name in ("source_ids", "target_ids"))
    source_mask, target_mask = NotPadding()(source_ids), NotPadding()(target_ids)
    target_embedding = embedding()
    source_embedding = target_embedding if tie_weights else embedding()

    x = dropped(Positions()(source_embedding(source_ids)))
    for _ in range(num_layers):
        x = residual(x, attention(source_mask))
        x = residual(x, feed_forward)
    memory = norm(x) if norm_first else x

    y = dropped(Positions()(target_embedding(target_ids)))
    for _ in range(num_layers):
        y = residual(y, attention(target_mask, causal=True))
        y = residual(y, attention(source_mask, memory))
        y = residual(y, feed_forward)
    y = norm(y) if norm_first else y
    logits = TiedOutput()(y) if tie_weights else keras.layers.Dense(vocab_size, dtype="float32")(y)
    return keras.Model([source_ids, target_ids], logits)
    ### END SOLUTION


# %%
# Before two minutes are spent on it: the checks of notebooks 04 and 06 for the model that you pasted.
# ko: # 2분을 들이기 전에, 붙여 넣은 모델에 4번과 6번 노트북의 검사를 해 봅니다.
@checking("build_transformer")
def _check(check):
    model = build_transformer(len(TOKENS), MAX_LEN, num_layers=2, d_model=64, num_heads=4, ff_dim=128, dropout=0.0)
    source, target = to_pairs([321, 120_000])
    before = to_numpy(model([source, target]))
    check.shape(before, (2, TARGET_LEN, len(TOKENS)), "logits (batch, target_len, vocab_size)")
    # ko: check.shape(before, (2, TARGET_LEN, len(TOKENS)), "로짓 (batch, target_len, vocab_size)")
    check.gives_logits(before)
    count = model.count_params()
    check.true(
        count in (177_137, 177_088),
        "177,137 parameters (or 177,088 without a bias at the output)",
        # ko: "파라미터 177,137개 (출력에 편향이 없으면 177,088개)",
        f"it has {count:,} parameters; the model of notebook 06 has 177,137 (or 177,088 without a bias at the output).",
        # ko: f"파라미터가 {count:,}개입니다. 6번 노트북의 모델은 177,137개입니다(출력에 편향이 없으면 177,088개).",
    )
    width = int((source != PAD).any(axis=0).sum())
    moved = np.abs(to_numpy(model([source[:, :width], target])) - before).max()
    check.true(
        moved < 1e-3,
        "the padding of the source has no effect",
        # ko: "소스의 패딩은 영향이 없다",
        "with fewer columns of padding behind the sources the logits move. Look at the padding mask: is it there, and does it hide the padding and not the words?",
        # ko: "소스 뒤의 패딩 열을 줄이면 로짓이 움직입니다. 패딩 마스크를 살펴보세요. 마스크가 있나요? 단어가 아니라 패딩을 가리나요?",
    )
    other = source.copy()
    other[:, 0] = 4 + (source[:, 0] - 3) % 14
    moved = np.abs(to_numpy(model([other, target])) - before).max()
    check.true(
        moved > 1e-4,
        "the words of the source have an effect",
        # ko: "소스의 단어는 영향을 준다",
        "another first syllable of the sources changes no logit. Does the padding mask hide the words instead of the padding?",
        # ko: "소스의 첫 음절을 바꾸어도 로짓이 달라지지 않습니다. 패딩 마스크가 패딩이 아니라 단어를 가리지는 않나요?",
    )
    swapped = source.copy()
    swapped[:, [0, 1]] = source[:, [1, 0]]
    moved = np.abs(to_numpy(model([swapped, target])) - before).max()
    check.true(
        moved > 1e-4,
        "the order of the source has an effect",
        # ko: "소스의 순서는 영향을 준다",
        "where two syllables of each source change places, no logit moves. Are positions added to the embeddings?",
        # ko: "소스마다 음절 둘을 맞바꾸어도 로짓이 달라지지 않습니다. 임베딩에 위치를 더했나요?",
    )
    changed = np.concatenate([target[:, :3], 4 + (target[:, 3:] + 1) % 40], axis=1)
    moved = np.abs(to_numpy(model([source, changed])) - before)[:, :3].max()
    check.true(
        moved < 1e-3,
        "no output sees a later target",
        # ko: "어느 출력도 뒤의 타깃을 보지 않는다",
        "earlier outputs move when later target ids change: it would learn to read its answers. Look at the look-ahead mask.",
        # ko: "뒤의 타깃 ID를 바꾸면 앞의 출력이 움직입니다. 이대로는 답을 읽는 법을 배웁니다. 룩어헤드 마스크를 살펴보세요.",
    )
    check.compiles(lambda source, target: model([source, target]), source, target)
_check

# %% [markdown]
# ## Task 1: the learning rate (3 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# At the start the weights are random, and Adam's estimates of the gradients' size rest on few updates. A full step now can
# carry the model so far off that it doesn't come back. So the learning rate begins small, rises for `warmup_steps` updates,
# and then falls. The paper's schedule (Vaswani et al. 2017, section 5.3, equation 3):
#
# $$\text{rate}(n) = \frac{1}{\sqrt{d_\text{model}}} \cdot \min\left(\frac{1}{\sqrt{n}},\; \frac{n}{w^{1.5}}\right),
# \qquad n = 1, 2, 3, \dots \text{ the number of the update},$$
#
# where $w$ is `warmup_steps`. The two terms meet at $n = w$, where the rate is highest: $1 / \sqrt{d_\text{model} \, w}$.
#
# Mind the counting. Keras calls a schedule with `step = 0` for the **first** update, so $n = \text{step} + 1$. With $n = 0$
# the first update would learn nothing (and $1/\sqrt{0}$ is infinite). `step` may be a Python number or a whole-number tensor;
# where `fit` compiles the update, that tensor has no value yet. So compute with `ops`, not with `float`, `min` or NumPy, and cast the
# step to a float first: `**` and `*` don't mix whole-number tensors with floats.
#
# <details><summary>Hint 1: Which number goes into the formula?</summary>
#
# $n$ is one more than `step`, as a float: `ops.cast(step, "float32")` takes Python numbers and tensors.
#
# </details>
#
# <details><summary>Hint 2: How is the smaller one taken?</summary>
#
# Python's `min` has to know both numbers, and in compiled code nobody does yet. `ops.minimum` takes tensors; `**` with negative or
# fractional exponents works on them as well.
#
# </details>
#
# <!-- ko -->
# ## 과제 1: 학습률 (3점)
#
# *난이도 2/5, 20분쯤.*
#
# 처음에는 가중치(weight)가 무작위이고, Adam이 어림하는 기울기(gradient)의 크기는 몇 번 안 되는 업데이트(update)로 구한 값입니다. 이때
# 걸음을 크게 내디디면 모델이 돌아올 수 없는 곳으로 튕겨 나갈 수 있습니다. 그래서 학습률은 작게 시작해 `warmup_steps`번의 업데이트
# 동안 오르고(웜업, warm-up) 그 뒤로 내려갑니다. 논문의 스케줄(schedule)은 다음과 같습니다(Vaswani et al. 2017, 5.3절, 식 3).
#
# $$\text{rate}(n) = \frac{1}{\sqrt{d_\text{model}}} \cdot \min\left(\frac{1}{\sqrt{n}},\; \frac{n}{w^{1.5}}\right),
# \qquad n = 1, 2, 3, \dots \text{ (몇 번째 업데이트인가)}$$
#
# $w$는 `warmup_steps`입니다. 두 항은 $n = w$에서 만나고, 여기서 학습률이 $1 / \sqrt{d_\text{model} \, w}$로 가장 높습니다.
#
# 세는 법에 주의하세요. 케라스는 **첫** 업데이트에서 `step = 0`으로 스케줄을 호출하므로 $n = \text{step} + 1$입니다. $n = 0$이라면
# 첫 업데이트에서는 아무것도 배우지 못합니다(게다가 $1/\sqrt{0}$은 무한대입니다). `step`은 파이썬의 수일 수도 있고 정수
# 텐서(tensor)일 수도 있습니다. `fit`이 업데이트를 컴파일할 때는 그 텐서에 아직 값이 없습니다. 그러니 `float`, `min`이나 NumPy가
# 아니라 `ops`로 계산하고, step을 먼저 실수로 바꾸세요. `**`와 `*`는 정수 텐서와 실수를 섞어 받지 않습니다.
#
# <details><summary>힌트 1: 식에는 어떤 수를 넣을까요?</summary>
#
# $n$은 `step`보다 하나 크고 실수입니다. `ops.cast(step, "float32")`는 파이썬의 수도 텐서도 받습니다.
#
# </details>
#
# <details><summary>힌트 2: 둘 가운데 작은 쪽은 어떻게 고를까요?</summary>
#
# 파이썬의 `min`은 두 수를 알아야 하는데, 컴파일할 때는 아직 값이 없습니다. `ops.minimum`은 텐서를 받고, 음수나 소수 지수의 `**`도
# 텐서에 쓸 수 있습니다.
#
# </details>


# %% task="warmup-schedule"
class WarmupSchedule(keras.optimizers.schedules.LearningRateSchedule):
    """
    The learning rate of the paper: rises evenly, then falls with the root of the update's number.
    # ko: 논문의 학습률. 고르게 오르다가 업데이트 번호의 제곱근에 반비례해 내려갑니다.
    """

    def __init__(self, d_model, warmup_steps=4000):
        """
        Keep the arguments.
        # ko: 인수를 저장합니다.

        Args:
        # ko: 인수:
            d_model: width of the model.
            # ko: d_model: 모델의 너비.
            warmup_steps: number of updates for which the rate rises.
            # ko: warmup_steps: 학습률이 오르는 동안의 업데이트 수.
        """
        ### BEGIN SOLUTION
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        ### END SOLUTION

    def __call__(self, step):
        """
        Return the learning rate of one update.
        # ko: 업데이트 한 번의 학습률을 돌려줍니다.

        Args:
        # ko: 인수:
            step: number of updates before this one: 0 for the first.
            # ko: step: 이번 업데이트보다 앞선 업데이트의 수. 첫 업데이트에서는 0입니다.

        Returns:
        # ko: 반환값:
            The learning rate, one number.
            # ko: 학습률. 스칼라(수 하나)입니다.
        """
        ### BEGIN SOLUTION
        number = ops.cast(step, "float32") + 1.0
        return self.d_model**-0.5 * ops.minimum(number**-0.5, number * self.warmup_steps**-1.5)
        ### END SOLUTION

    def get_config(self):
        """Return the arguments that make this schedule again."""
        # ko: """이 스케줄을 다시 만드는 인수를 돌려줍니다."""
        ### BEGIN SOLUTION
        return {"d_model": self.d_model, "warmup_steps": self.warmup_steps}
        ### END SOLUTION


# %% grade="warmup-schedule" points=3
@checking("WarmupSchedule")
def _check(check):
    schedule = WarmupSchedule(64, warmup_steps=100)
    peak = (64 * 100) ** -0.5
    check.true(schedule(0) is not None, "it returns a rate", "`__call__` returned None. Is the `return` missing?")
    # ko: check.true(schedule(0) is not None, "학습률을 돌려준다", "`__call__`이 None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    rates = np.array([float(to_numpy(schedule(step))) for step in (0, 49, 99, 399)])
    first = f"the first update (step 0) has the rate {rates[0]:g}, and it should be positive. Do you count from 1?"
    # ko: first = f"첫 업데이트(step 0)의 학습률이 {rates[0]:g}입니다. 양수여야 합니다. 1부터 세나요?"
    check.true(rates[0] > 0, "the first update learns", first)
    # ko: check.true(rates[0] > 0, "첫 업데이트도 배운다", first)
    relative = np.array([0.01, 0.5, 1.0, 0.5])
    check.close(
        rates / peak,
        relative,
        "the rates of updates 1, 50, 100 and 400, relative to the highest",
        # ko: "1, 50, 100, 400번째 업데이트의 학습률을 최댓값으로 나눈 것",
        hints={
            "the factor with d_model is missing.": 8 * relative,
            # ko: "d_model이 들어간 계수가 빠졌습니다.": 8 * relative,
            "it is divided by d_model, and not by its root.": relative / 8,
            # ko: "d_model의 제곱근이 아니라 d_model로 나누었습니다.": relative / 8,
            "does the exponent of d_model lack its brackets? `x ** -1/2` is half of 1/x.": relative / 16,
            # ko: "d_model의 지수에 괄호가 빠지지 않았나요? `x ** -1/2`은 1/x의 절반입니다.": relative / 16,
            "these are the rates of a warm-up of 4000. Use the argument `warmup_steps`.": np.array([1, 50, 100, 400]) * 10 / 4000**1.5,
            # ko: "웜업이 4000일 때의 학습률입니다. 인수 `warmup_steps`를 쓰세요.": np.array([1, 50, 100, 400]) * 10 / 4000**1.5,
            "it is multiplied by the root of d_model, not divided by it.": 64 * relative,
            # ko: "d_model의 제곱근으로 나누지 않고 곱했습니다.": 64 * relative,
            "the larger of the two terms is taken. It is the smaller one.": [10.0, 2**0.5, 1.0, 4.0],
            # ko: "두 항 가운데 큰 쪽을 골랐습니다. 작은 쪽이어야 합니다.": [10.0, 2**0.5, 1.0, 4.0],
            "the rate falls from the first update on. Is n *divided* by w^1.5?": [10.0, 2**0.5, 1.0, 0.5],
            # ko: "학습률이 첫 업데이트부터 내려가기만 합니다. n을 w^1.5으로 *나누었나요*?": [10.0, 2**0.5, 1.0, 0.5],
            "the step is counted from 0. Keras's step 0 is the first update.": [0.01, 0.49, 0.99, 0.5006],
            # ko: "업데이트를 0부터 셌습니다. 케라스의 step 0이 첫 번째 업데이트입니다.": [0.01, 0.49, 0.99, 0.5006],
        },
    )
    try:
        again = WarmupSchedule.from_config(schedule.get_config())
    except TypeError as error:
        raise CheckFailed(
            "WarmupSchedule: no schedule can be made of what `get_config` returns. It is a dictionary that holds every argument "
            # ko: "WarmupSchedule: `get_config`가 돌려준 것으로는 스케줄을 만들 수 없습니다. 모든 인수가 제 이름으로 든 "
            f"of `__init__` under its own name.\n({type(error).__name__}: {error})"
            # ko: f"딕셔너리를 돌려주어야 합니다.\n({type(error).__name__}: {error})"
        ) from None
    check.close(
        [float(to_numpy(again(step))) for step in (0, 49, 399)],
        rates[[0, 1, 3]],
        "the same schedule from its config",
        # ko: "config로 다시 만든 같은 스케줄",
        otherwise="Does `get_config` return `d_model` and `warmup_steps` under their own names?",
        # ko: otherwise="`get_config`가 `d_model`과 `warmup_steps`를 제 이름으로 돌려주나요?",
        tolerance=1e-6,
    )
    problem, one = "", np.ones((1, 1))
    tiny = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
    tiny.compile(keras.optimizers.SGD(schedule), "mse")
    try:
        tiny.fit(one, one, verbose=0)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}".partition(" You can attempt")[0][:300]
    advice = "Cast `step` to a float first." if re.search("dtype|int32|int64", problem) else "Compute with `ops`."
    # ko: advice = "먼저 `step`을 실수로 바꾸세요." if re.search("dtype|int32|int64", problem) else "`ops`로 계산하세요."
    if re.search(r"[Ss]ymbolic|Tracer|numpy\(\)|concrete", problem):
        advice = "There `step` has no value yet, and `float`, `min`, `if` and NumPy can't read it. Compute with `ops`."
        # ko: advice = "이때 `step`에는 아직 값이 없어서 `float`, `min`, `if`, NumPy가 읽을 수 없습니다. `ops`로 계산하세요."
    what = "`fit` can use it with a Keras optimizer"
    # ko: what = "케라스 옵티마이저와 함께 `fit`에서 쓸 수 있다"
    check.true(not problem, what, f"it fails in `fit`, which compiles it. {advice} {problem}")
    # ko: check.true(not problem, what, f"`fit`이 컴파일하면 실패합니다. {advice} {problem}")
    wider = WarmupSchedule(256, warmup_steps=50)
    rates = np.array([float(to_numpy(wider(step))) for step in (0, 24, 49, 199)])
    relative = np.array([0.02, 0.5, 1.0, 0.5])
    after_100 = np.array([0.00707107, 0.1767767, 0.35355339, 0.5])
    check.close(
        rates * (256 * 50) ** 0.5,
        relative,
        "with d_model 256 and a warm-up of 50: the rates of updates 1, 25, 50 and 200, relative to the highest",
        # ko: "d_model이 256, 웜업이 50일 때: 1, 25, 50, 200번째 업데이트의 학습률을 최댓값으로 나눈 것",
        hints={
            "these are the rates of d_model 64. Use the argument `d_model`.": 2 * relative,
            # ko: "d_model이 64일 때의 학습률입니다. 인수 `d_model`을 쓰세요.": 2 * relative,
            "these are the rates of a warm-up of 100. Use the argument `warmup_steps`.": after_100,
            # ko: "웜업이 100일 때의 학습률입니다. 인수 `warmup_steps`를 쓰세요.": after_100,
        },
        otherwise="With d_model 64 and a warm-up of 100 the rates are right. Do both numbers come from the arguments?",
        # ko: otherwise="d_model이 64, 웜업이 100일 때의 학습률은 맞습니다. 두 값을 모두 인수에서 얻나요?",
    )
    again = WarmupSchedule.from_config(wider.get_config())
    check.close(
        [float(to_numpy(again(step))) for step in (0, 24, 49, 199)],
        rates,
        "the same schedule from its config, with d_model 256 and a warm-up of 50",
        # ko: "d_model이 256, 웜업이 50일 때 config로 다시 만든 같은 스케줄",
        otherwise="`get_config` should return the `d_model` and the `warmup_steps` that this schedule was made with.",
        # ko: otherwise="`get_config`는 이 스케줄을 만들 때 받은 `d_model`과 `warmup_steps`를 돌려주어야 합니다.",
        tolerance=1e-6,
    )
    check.notes_failure(lambda: schedule(ops.convert_to_tensor(5)), "a step that is a whole-number tensor fails")
    # ko: check.notes_failure(lambda: schedule(ops.convert_to_tensor(5)), "step이 정수 텐서이면 실패합니다")
_check

# %%
@demonstrate
def _demo():
    updates = np.arange(0, 20_000, 100)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    for d_model, warmup in ((512, 4000), (512, 8000), (256, 4000)):
        schedule = WarmupSchedule(d_model, warmup)
        rates = [float(to_numpy(schedule(int(step)))) for step in updates]
        left.plot(updates, rates, label=f"d_model {d_model}, warm-up {warmup}")
        # ko: left.plot(updates, rates, label=f"d_model {d_model}, 웜업 (warm-up) {warmup}")
    left.set(title="the paper's schedule", xlabel="update", ylabel="learning rate")
    # ko: left.set(title="논문의 스케줄 (schedule)", xlabel="업데이트 (update)", ylabel="학습률 (learning rate)")
    left.legend()
    updates = np.arange(0, 1256, 5)
    for warmup in (300, 4000):
        schedule = WarmupSchedule(64, warmup)
        rates = [float(to_numpy(schedule(int(step)))) for step in updates]
        right.plot(updates, rates, label=f"the paper's, warm-up {warmup}")
        # ko: right.plot(updates, rates, label=f"논문의 스케줄, 웜업 {warmup}")
    rates = np.where(updates < 125, 2e-3 * updates / 125, 1e-3 + 1e-3 * np.cos(np.pi * (updates - 125) / (1256 - 125)))
    right.plot(updates, rates, label="warm-up, then half a cosine")
    # ko: right.plot(updates, rates, label="웜업 뒤 코사인 반 주기 (cosine)")
    right.set(title="schedules for 1256 updates (8 epochs of task 6)", xlabel="update", ylabel="learning rate")
    # ko: right.set(title="업데이트 1256번(과제 6의 8에폭)의 스케줄", xlabel="업데이트 (update)", ylabel="학습률 (learning rate)")
    right.set(yscale="log", ylim=(1e-7, 2e-2))
    right.legend(loc="lower center")
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The warm-up is 4000 steps, as in the paper."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It doesn't hold for a training of a thousand updates: it would end inside the warm-up, before the rate was ever high. After
# > 942 updates (6 epochs) on our task the share of held-out numbers (numbers kept out of the training) that come out wholly right (*exact match*) was between 0.66 and 0.95 with a warm-up of 4000, depending on model and seed, 0.971 to 0.986 with 300, and
# > 0.99 to 1.00 with a short warm-up followed by half a cosine down to 0 (from the top of a cosine to its bottom, as in the right picture). A warm-up is a share of the training (about 10 %), not a
# > number to be copied.
# >
# > </details>
#
# ## Task 2: teacher forcing (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# The decoder writes one word after another. In training we don't wait for its words: at every position it gets the *right*
# earlier words, whatever it would have said, and is asked for the next one. All positions are trained at once; the look-ahead
# mask keeps each from seeing its answer. From one row of target ids come two:
#
# | | | | | | | |
# |---|---|---|---|---|---|---|
# | target | `<bos>` | three | hundred | one | `<eos>` | `<pad>` |
# | decoder input | `<bos>` | three | hundred | one | `<eos>` | |
# | labels | three | hundred | one | `<eos>` | `<pad>` | |
#
# Same rows, one step apart. In the decoder's input the last column is left out, in the labels the first one. Where the decoder reads
# `<eos>` it is asked for `<pad>`; that doesn't matter, because the loss leaves such positions out (task 3).
#
# <details><summary>Hint 1: How are columns left out?</summary>
#
# By slices of the second axis: `a[:, :-3]` leaves out the last three columns, `a[:, 3:]` the first three.
#
# </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"웜업은 논문처럼 업데이트 4000번이다."* 답을 펼치기 전에 그렇게 생각하는 까닭까지 적어 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 업데이트가 천 번쯤인 학습에는 맞지 않습니다. 학습률이 한 번도 높아지지 못하고 웜업 도중에 학습이 끝납니다. 우리 과제에서 942번(6에폭, epoch)
# > 업데이트한 뒤, 학습에 쓰지 않고 남겨 둔(held-out) 수 가운데 완전히 맞은 비율(완전 일치, exact match)은 웜업이 4000일 때 모델과 시드에 따라 0.66에서 0.95, 300일 때 0.971에서 0.986,
# > 짧은 웜업 뒤에 코사인 반 주기를 따라(오른쪽 그림처럼 코사인의 꼭대기에서 바닥까지) 0까지 내릴 때 0.99에서 1.00이었습니다. 웜업은 학습의 일정한 비율(10%쯤)로 정하는 것이지, 그대로 베껴
# > 쓰는 숫자가 아닙니다.
# >
# > </details>
#
# ## 과제 2: 교사 강요(teacher forcing) (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 디코더는 단어를 하나씩 차례로 씁니다. 학습할 때는 디코더가 쓸 때까지 기다리지 않습니다. 디코더가 무엇이라고 했을지와 상관없이
# 모든 위치에 *올바른* 앞 단어들을 주고 다음 단어를 묻습니다. 그래서 모든 위치를 한꺼번에 학습합니다. 룩어헤드 마스크(look-ahead
# mask)가 각 위치에서 답을 보지 못하게 막습니다. 타깃 ID 한 행에서 두 행이 나옵니다.
#
# | | | | | | | |
# |---|---|---|---|---|---|---|
# | 타깃 | `<bos>` | three | hundred | one | `<eos>` | `<pad>` |
# | 디코더 입력 | `<bos>` | three | hundred | one | `<eos>` | |
# | 라벨(label) | three | hundred | one | `<eos>` | `<pad>` | |
#
# 같은 행이 한 칸 어긋나 있습니다. 디코더 입력에서는 마지막 열을, 라벨에서는 첫 열을 뺍니다. `<eos>`를 읽는 자리의 라벨은 `<pad>`이지만,
# 손실을 구할 때 그런 위치는 빼므로 상관없습니다(과제 3).
#
# <details><summary>힌트 1: 열을 빼려면?</summary>
#
# 둘째 축을 슬라이스하세요. `a[:, :-3]`은 마지막 세 열을, `a[:, 3:]`은 처음 세 열을 뺍니다.
#
# </details>


# %% task="teacher-forcing"
def teacher_forcing_pairs(target_ids):
    """
    Split target ids into what the decoder reads and what it is asked for.
    # ko: 타깃 ID를 디코더가 읽을 것과 맞혀야 할 것으로 나눕니다.

    Args:
    # ko: 인수:
        target_ids: (batch, len), each row beginning with BOS.
        # ko: target_ids: (batch, len), 각 행은 BOS로 시작합니다.

    Returns:
    # ko: 반환값:
        decoder_input (batch, len - 1), labels (batch, len - 1).
    """
    ### BEGIN SOLUTION
    return target_ids[:, :-1], target_ids[:, 1:]
    ### END SOLUTION


# %% grade="teacher-forcing" points=2
@checking("teacher_forcing_pairs")
def _check(check):
    ids = np.array([[1, 7, 8, 9, 2, 0], [1, 5, 2, 0, 0, 0]])
    pair = teacher_forcing_pairs(ids)
    # one array of two rows is no pair
    # ko: # 두 행짜리 배열 하나는 쌍이 아닙니다
    is_pair = (isinstance(pair, (tuple, list)) or np.ndim(pair)) and len(pair) == 2 and (isinstance(pair, tuple) or np.ndim(pair[0]) > 1)
    check.true(is_pair, "two results", "it should return (decoder_input, labels).")
    # ko: check.true(is_pair, "결과 두 개", "(decoder_input, labels)를 돌려주어야 합니다.")
    columns = "Is exactly one column left out (second axis), and no row?"
    # ko: columns = "행이 아니라 열(둘째 축)을 하나만 뺐나요?"
    check.shape(pair[0], (2, 5), "decoder_input (batch, len - 1)", otherwise=columns)
    check.shape(pair[1], (2, 5), "labels (batch, len - 1)", otherwise=columns)
    check.close(
        pair[0],
        ids[:, :5],
        "the decoder's input",
        # ko: "디코더 입력",
        hints={"these are the labels: BOS is cut off here.": ids[:, 1:]},
        # ko: hints={"이것은 라벨입니다. BOS가 잘려 나갔습니다.": ids[:, 1:]},
    )
    check.close(
        pair[1],
        ids[:, 1:],
        "the labels",
        # ko: "라벨",
        hints={"label and input are the same: the model would only have to copy.": ids[:, :5]},
        # ko: hints={"라벨과 입력이 같습니다. 그러면 모델은 베끼기만 하면 됩니다.": ids[:, :5]},
    )
    longer = np.array([[1, 7, 8, 9, 6, 5, 2, 0], [1, 5, 4, 9, 8, 6, 7, 2], [1, 6, 2, 0, 0, 0, 0, 0]])
    pair = teacher_forcing_pairs(longer)
    check.shape(pair[0], (3, 7), "decoder_input (batch, len - 1)")
    check.shape(pair[1], (3, 7), "labels (batch, len - 1)")
    check.close(pair[0], longer[:, :7], "the decoder's input of longer rows")
    # ko: check.close(pair[0], longer[:, :7], "더 긴 행의 디코더 입력")
    check.close(pair[1], longer[:, 1:], "the labels of longer rows")
    # ko: check.close(pair[1], longer[:, 1:], "더 긴 행의 라벨")
    if not all(hasattr(part, "shape") for part in pair):
        check.note("a list of rows came back, and the `fit` of task 6 takes that for many inputs. Slice the array itself.")
        # ko: check.note("행들의 리스트를 돌려주었습니다. 과제 6의 `fit`은 이것을 여러 입력으로 여깁니다. 배열 자체를 슬라이스하세요.")
_check

# %%
@demonstrate
def _demo():
    shown = to_pairs([321, 7, 14_000, 900_001])[1][:, :9]
    reads, asked = (to_numpy(part) for part in teacher_forcing_pairs(shown))
    figure, axes = plt.subplots(1, 2, figsize=(13, 2.8), layout="constrained")
    for ax, part, title in ((axes[0], reads, "the decoder reads"), (axes[1], asked, "and is asked for")):
    # ko: for ax, part, title in ((axes[0], reads, "디코더가 읽는 것 (input)"), (axes[1], asked, "맞혀야 하는 것 (labels)")):
        colours = np.where(part == PAD, 0, np.where(part <= UNK, 1, 2))
        ax.imshow(colours, cmap=plt.matplotlib.colors.ListedColormap(["#3d4a5c", "#e8c07d", "#f4efe4"]), vmin=0, vmax=2, aspect="auto")
        for (i, j), number in np.ndenumerate(part):
            ax.text(j, i, TOKENS[number], ha="center", va="center", fontsize=7, color="white" if number == PAD else "black")
        ax.set(title=title, xlabel="position", xticks=range(part.shape[1]), yticks=[])
        # ko: ax.set(title=title, xlabel="위치 (position)", xticks=range(part.shape[1]), yticks=[])
    plt.show()

# %% [markdown]
# > **Does this hold?** *"The model got 100 % of the words right in training, so it can translate."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It doesn't hold. With labels that aren't shifted the decoder is asked for the very word that it reads. It learns to copy,
# > quickly and perfectly: all words right in training, and not one number right when it has to speak by itself. The table at
# > the end of this notebook has more such mistakes.
# >
# > </details>
#
# ## Task 3: the loss (4 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# At each position the model gives logits $z_1, \dots, z_V$ for the $V$ tokens of the vocabulary. The cross-entropy with the
# label $y$ is
#
# $$\ell = -\log \frac{e^{z_y}}{\sum_v e^{z_v}} = \log \sum_v e^{z_v} - z_y.$$
#
# **Padding.** Most targets are shorter than the longest one. Positions whose label is padding have nothing to learn from and
# are left out: the loss is the sum over the others, divided by *their* number. Not by the number of all positions, and not
# row by row: every word counts the same, whether its sentence is long or short. If there is nothing but padding, the loss is 0.
#
# **Label smoothing** (Szegedy et al. 2016; Vaswani et al. 2017 use $\varepsilon = 0.1$). Instead of all the probability on
# the label, the target spreads a share $\varepsilon$ evenly over the *whole* vocabulary, the label included ($[v = y]$ is 1 if $v = y$, else 0):
#
# $$q_v = (1 - \varepsilon)\,[v = y] + \frac{\varepsilon}{V}, \qquad
# \ell = -\sum_v q_v \log p_v = (1 - \varepsilon)\,(-\log p_y) + \varepsilon \cdot \frac{1}{V}\sum_v (-\log p_v).$$
#
# **Large logits.** $e^{1000}$ is infinite in float32. Work with the *logarithm* of the softmax as one function
# (`ops.log_softmax`), or with a loss of Keras's that is given `from_logits=True`.
#
# Keras hands labels to a loss as floats. Turn them into whole numbers before you pick with them. And in task 6 `fit` compiles
# the loss and the accuracy: NumPy earns the points of tasks 3 and 4 but fails there, and costs those of task 6, so use `ops`.
#
# <details><summary>Hint 1: How do you pick the label's probability?</summary>
#
# `ops.log_softmax` of the logits, cast to float32 (they may come in bfloat16), over the last axis; then `ops.take_along_axis` along that axis. Its indices need as many axes as the array, so the
# labels, as int32, get one of length 1 at the end, which goes afterwards.
#
# </details>
#
# <details><summary>Hint 2: Where does smoothing come in?</summary>
#
# The last formula has two terms: $1-\varepsilon$ times what you had, and $\varepsilon$ times the *mean* of all negative
# log-probabilities of the position.
#
# </details>
#
# <details><summary>Hint 3: How are positions left out?</summary>
#
# Make a float of each position: 1 where the label isn't padding, else 0 (a comparison gives truth values; `ops.cast(…, "float32")` makes
# floats of them). Multiply the losses by it and add up; divide by the sum of these floats, but by at least 1, so that nothing but padding gives 0.
#
# </details>
#
# <!-- ko -->
# > **정말 그럴까?** *"모델이 학습에서 단어를 100% 맞혔으니 번역할 수 있다."* 답을 펼치기 전에 그렇게 생각하는 까닭까지 적어 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 그렇지 않습니다. 라벨을 한 칸 밀지 않으면 디코더는 자기가 읽고 있는 바로 그 단어를 맞혀야 합니다. 디코더는 베끼기를
# > 배우고, 그것도 빠르고 완벽하게 배웁니다. 학습에서는 모든 단어가 맞지만, 자기가 낸 단어에 이어 말해야 할 때는 수를 하나도 맞히지 못합니다. 이
# > 노트북 끝의 표에 이런 잘못이 더 있습니다.
# >
# > </details>
#
# ## 과제 3: 손실(loss) (4점)
#
# *난이도 3/5, 40분쯤.*
#
# 모델은 위치마다 어휘(vocabulary)의 토큰 $V$개에 대한 로짓 $z_1, \dots, z_V$를 냅니다. 라벨 $y$와의 교차 엔트로피는
#
# $$\ell = -\log \frac{e^{z_y}}{\sum_v e^{z_v}} = \log \sum_v e^{z_v} - z_y$$
#
# 입니다.
#
# **패딩.** 타깃은 대부분 가장 긴 것보다 짧습니다. 라벨이 패딩인 위치에서는 배울 것이 없으므로 뺍니다. 손실은 나머지 위치의 교차
# 엔트로피를 더해 *그 나머지* 위치의 수로 나눈 값입니다. 모든 위치의 수로 나누지 않고, 행마다 따로 평균하지도 않습니다. 문장이 길든
# 짧든 단어는 모두 똑같이 셉니다. 패딩밖에 없으면 손실은 0입니다.
#
# **라벨 스무딩(label smoothing)** (Szegedy et al. 2016; Vaswani et al. 2017은 $\varepsilon = 0.1$을 씁니다). 목표 분포(target)가 확률을
# 모두 라벨에 주지 않고, 그 가운데 $\varepsilon$만큼을 라벨까지 포함한 어휘 *전체*에 고르게 나누어 줍니다($[v = y]$는 $v = y$이면 1, 아니면 0입니다).
#
# $$q_v = (1 - \varepsilon)\,[v = y] + \frac{\varepsilon}{V}, \qquad
# \ell = -\sum_v q_v \log p_v = (1 - \varepsilon)\,(-\log p_y) + \varepsilon \cdot \frac{1}{V}\sum_v (-\log p_v)$$
#
# **큰 로짓.** $e^{1000}$은 float32에서 무한대입니다. 소프트맥스(softmax)의 *로그*를 한 함수로 계산하거나(`ops.log_softmax`),
# `from_logits=True`를 준 케라스의 손실 함수를 쓰세요.
#
# 케라스는 라벨을 실수로 바꾸어 손실 함수에 넘깁니다. 라벨로 무엇을 골라내기 전에 정수로 바꾸세요. 그리고 과제 6에서는 `fit`이
# 손실과 정확도를 컴파일합니다. NumPy로 써도 과제 3과 4의 점수는 받지만 거기서는 실패해 과제 6의 점수를 잃으므로 `ops`를 쓰세요.
#
# <details><summary>힌트 1: 라벨의 확률을 어떻게 골라낼까요?</summary>
#
# 로짓을 float32로 바꾸어(bfloat16으로 들어올 수도 있습니다) 마지막 축에서 `ops.log_softmax`를 구하고, 그 축을 따라 `ops.take_along_axis`로 고릅니다. 인덱스의 축 수가 배열과 같아야 하므로
# int32로 바꾼 라벨 끝에 길이 1인 축을 붙였다가 나중에 뺍니다.
#
# </details>
#
# <details><summary>힌트 2: 라벨 스무딩은 어디에 들어갈까요?</summary>
#
# 마지막 식에는 항이 둘 있습니다. 하나는 지금까지의 손실에 $1-\varepsilon$을 곱한 항이고, 다른 하나는 그 위치의 음의 로그 확률을 모두
# *평균*해 $\varepsilon$을 곱한 항입니다.
#
# </details>
#
# <details><summary>힌트 3: 위치를 빼려면?</summary>
#
# 위치마다 라벨이 패딩이 아니면 1, 패딩이면 0인 실수를 만듭니다(비교하면 참·거짓이 나오므로 `ops.cast(…, "float32")`로 바꿉니다). 손실에 곱해
# 더하고, 이 1들의 합으로 나눕니다. 다만 적어도 1로 나누어, 모두 패딩이면 0이 되게 하세요.
#
# </details>


# %% task="masked-loss"
def masked_loss(labels, logits, label_smoothing=0.0, pad_id=0):
    """
    Average the cross-entropy over the positions that are not padding.
    # ko: 패딩이 아닌 위치에서 교차 엔트로피의 평균을 구합니다.

    Args:
    # ko: 인수:
        labels: (batch, len), token ids.
        # ko: labels: (batch, len), 토큰 ID.
        logits: (batch, len, vocab_size).
        label_smoothing: share of the target that is spread evenly over the vocabulary.
        # ko: label_smoothing: 목표 분포의 확률 가운데 어휘 전체에 고르게 나누어 주는 양.
        pad_id: label of padding.
        # ko: pad_id: 패딩의 라벨.

    Returns:
    # ko: 반환값:
        One number; 0 if everything is padding.
        # ko: 스칼라(수 하나). 모두 패딩이면 0입니다.
    """
    ### BEGIN SOLUTION
    labels = ops.cast(labels, "int32")
    log_probabilities = ops.log_softmax(ops.cast(logits, "float32"), axis=-1)
    of_label = ops.take_along_axis(log_probabilities, labels[..., None], axis=-1)[..., 0]
    losses = -(1 - label_smoothing) * of_label - label_smoothing * ops.mean(log_probabilities, axis=-1)
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum(losses * kept) / ops.maximum(ops.sum(kept), 1.0)
    ### END SOLUTION


# %% grade="masked-loss" points=4
@checking("masked_loss")
def _check(check):
    labels = np.array([[1, 3, 0], [3, 0, 0]])
    logits = np.log(np.array([[[1, 5, 2, 2], [1, 1, 4, 4], [7, 1, 1, 1]], [[2, 1, 4, 3], [1, 1, 1, 7], [1, 7, 1, 1]]]) / 10.0).astype("float32")
    logits -= 2  # a softmax is the same without it
    # ko: logits -= 2  # 이것을 빼도 소프트맥스는 그대로입니다
    each = -np.log([0.5, 0.4, 0.7, 0.3, 0.1, 0.1])
    log_likelihoods = logits + 2
    check.shape(masked_loss(labels, logits), (), "one number")
    # ko: check.shape(masked_loss(labels, logits), (), "스칼라(수 하나)")
    check.close(
        masked_loss(labels, logits),
        (each[0] + each[1] + each[3]) / 3,
        "the loss of three words and three paddings",
        # ko: "단어 셋과 패딩 셋의 손실",
        hints={
            "the padding is counted.": each.mean(),
            # ko: "패딩까지 셌습니다.": each.mean(),
            "only the padding is counted: the mask is turned round.": each[[2, 4, 5]].mean(),
            # ko: "패딩만 셌습니다. 마스크가 거꾸로입니다.": each[[2, 4, 5]].mean(),
            "it is divided by the number of all positions, padding included.": each[[0, 1, 3]].sum() / 6,
            # ko: "패딩까지 포함한 모든 위치의 수로 나누었습니다.": each[[0, 1, 3]].sum() / 6,
            "it is divided by the number of rows, not of words.": each[[0, 1, 3]].sum() / 2,
            # ko: "단어의 수가 아니라 행의 수로 나누었습니다.": each[[0, 1, 3]].sum() / 2,
            "each row is averaged by itself: every word counts the same.": ((each[0] + each[1]) / 2 + each[3]) / 2,
            # ko: "행마다 따로 평균을 냈습니다. 모든 단어를 똑같이 세야 합니다.": ((each[0] + each[1]) / 2 + each[3]) / 2,
            "it is divided by the number of words plus 1. To avoid 0, divide by *at least* 1.": each[[0, 1, 3]].sum() / 4,
            # ko: "단어의 수에 1을 더한 값으로 나누었습니다. 0을 피하려면 *적어도* 1로 나누세요.": each[[0, 1, 3]].sum() / 4,
            "the padding is counted above the fraction line, but not below.": each.sum() / 3,
            # ko: "분자에서는 패딩까지 세고 분모에서는 뺐습니다.": each.sum() / 3,
            "this is the sum; the mean is asked for.": each[[0, 1, 3]].sum(),
            # ko: "합입니다. 평균을 구해야 합니다.": each[[0, 1, 3]].sum(),
            "the loss of a position is divided by the number of tokens. It is their sum (all terms but the label's are 0).": each[[0, 1, 3]].mean() / 4,
            # ko: "한 위치의 손실을 토큰의 수로 나누었습니다. 토큰마다의 항을 더하기만 하세요(라벨의 항 말고는 모두 0입니다).": each[[0, 1, 3]].mean() / 4,
            "the softmax is missing: these are the logits of the labels.": each[[0, 1, 3]].mean() + 2,
            # ko: "소프트맥스를 하지 않았습니다. 라벨의 로짓을 그대로 썼습니다.": each[[0, 1, 3]].mean() + 2,
            "ε and 1 - ε have changed places: without smoothing, the label gets all.": -log_likelihoods.reshape(6, 4)[[0, 1, 3]].mean(),
            # ko: "ε과 1 - ε이 뒤바뀌었습니다. 스무딩이 없으면 라벨이 확률을 모두 받습니다.": -log_likelihoods.reshape(6, 4)[[0, 1, 3]].mean(),
            "the logits are taken for probabilities: tell the ready-made loss `from_logits=True`.": np.log(4),
            # ko: "로짓을 확률로 여겼습니다. 이미 있는 손실을 쓴다면 `from_logits=True`를 주세요.": np.log(4),
            "the sign is wrong: a loss is positive.": -each[[0, 1, 3]].mean(),
            # ko: "부호가 틀렸습니다. 손실은 양수입니다.": -each[[0, 1, 3]].mean(),
            "this is the mean of the probabilities: the logarithm and the minus sign are missing.": 0.4,
            # ko: "확률의 평균입니다. 로그와 음의 부호가 빠졌습니다.": 0.4,
            "this is minus the mean of the probabilities: the logarithm is missing.": -0.4,
            # ko: "확률의 평균에 음의 부호를 붙인 것입니다. 로그가 빠졌습니다.": -0.4,
            "the softmax goes along the positions. It belongs over the vocabulary, the last axis.": -np.log([5 / 7, 4 / 7, 3 / 11]).mean(),
            # ko: "소프트맥스를 위치 방향으로 구했습니다. 마지막 축인 어휘 방향으로 구하세요.": -np.log([5 / 7, 4 / 7, 3 / 11]).mean(),
            'losses that TensorFlow multiplies by truth values become truth values. Make floats of these first: `ops.cast(…, "float32")`.': 1 / 3,
            # ko: '텐서플로에서 손실에 참·거짓을 곱하면 결과도 참·거짓이 됩니다. 먼저 `ops.cast(…, "float32")`로 실수로 바꾸세요.': 1 / 3,
        },
    )
    one_label, one_row = np.array([[1]]), logits[:1, :1]
    spread = -np.log([0.1, 0.5, 0.2, 0.2])
    others_only = 0.8 * spread[1] + 0.2 * spread[[0, 2, 3]].mean()
    check.close(
        masked_loss(one_label, one_row, label_smoothing=0.2),
        0.8 * spread[1] + 0.2 * spread.mean(),
        "label smoothing",
        # ko: "라벨 스무딩",
        hints={
            "`label_smoothing` changes nothing.": spread[1],
            # ko: "`label_smoothing`을 바꾸어도 달라지는 것이 없습니다.": spread[1],
            "the share ε is not divided by the number of tokens.": 0.8 * spread[1] + 0.2 * spread.sum(),
            # ko: "ε을 토큰의 수로 나누지 않았습니다.": 0.8 * spread[1] + 0.2 * spread.sum(),
            "the share ε is divided by V - 1. It is shared by all V tokens.": 0.8 * spread[1] + 0.2 * spread.sum() / 3,
            # ko: "ε을 V - 1로 나누었습니다. 토큰 V개가 모두 나누어 가집니다.": 0.8 * spread[1] + 0.2 * spread.sum() / 3,
            "the share ε is spread over the other tokens only. The label gets its part too.": others_only,
            # ko: "ε을 다른 토큰에만 나누어 주었습니다. 라벨도 함께 받습니다.": others_only,
            "the second term has the wrong sign: it is a mean of *negative* log-probabilities.": 0.8 * spread[1] - 0.2 * spread.mean(),
            # ko: "둘째 항의 부호가 틀렸습니다. *음의* 로그 확률의 평균입니다.": 0.8 * spread[1] - 0.2 * spread.mean(),
            "the second term averages the logits, not the log-probabilities.": 0.8 * spread[1] + 0.2 * (spread.mean() + 2),
            # ko: "둘째 항에서 로그 확률이 아니라 로짓을 평균했습니다.": 0.8 * spread[1] + 0.2 * (spread.mean() + 2),
            "the first term lacks its factor 1 - ε.": spread[1] + 0.2 * spread.mean(),
            # ko: "첫째 항에 1 - ε을 곱하지 않았습니다.": spread[1] + 0.2 * spread.mean(),
            "the second term weighs by the model's own probabilities. Here every token weighs the same.": 0.8 * spread[1] + 0.2 * np.exp(-spread) @ spread,
            # ko: "둘째 항에서 모델 자신의 확률로 가중 평균을 냈습니다. 여기서는 모든 토큰의 가중치가 같습니다.": 0.8 * spread[1] + 0.2 * np.exp(-spread) @ spread,
        },
    )
    smoothed = 0.9 * each + 0.1 * -log_likelihoods.mean(-1).reshape(-1)
    check.close(
        masked_loss(labels, logits, label_smoothing=0.1),
        smoothed[[0, 1, 3]].mean(),
        "label smoothing of three words and three paddings",
        # ko: "단어 셋과 패딩 셋의 라벨 스무딩",
        hints={
            "the smoothed part counts the padding too: compute it at each position, and average where there is no padding.": 0.9 * each[[0, 1, 3]].mean()
            # ko: "스무딩한 부분에서 패딩까지 셌습니다. 위치마다 구한 뒤, 패딩이 아닌 위치에서만 평균하세요.": 0.9 * each[[0, 1, 3]].mean()
            - 0.1 * log_likelihoods.mean(),
        },
        otherwise="Is ε what `label_smoothing` says, and the rest 1 - ε?",
        # ko: otherwise="ε이 `label_smoothing`이고 나머지가 1 - ε인가요?",
    )
    five = np.log(np.array([[[5, 2, 1, 1, 1]]]) / 10.0).astype("float32")
    check.close(
        masked_loss(np.array([[1]]), five - 2, label_smoothing=0.2),
        -0.8 * five[0, 0, 1] - 0.2 * five.mean(),
        "label smoothing with five tokens",
        # ko: "토큰이 다섯 개일 때의 라벨 스무딩",
        otherwise="ε is shared by all tokens of the vocabulary, however many there are.",
        # ko: otherwise="ε은 어휘의 모든 토큰이 나누어 가집니다. 토큰이 몇 개든 그렇습니다.",
    )
    check.close(
        masked_loss(np.array([[1]]), np.array([[[2000.0, 1000.0]]], dtype="float32")),
        1000.0,
        "logits in the thousands",
        # ko: "수천에 이르는 로짓",
        otherwise="e^1000 is infinite, and so is the logarithm of a softmax that has become 0. `ops.log_softmax` computes both in one.",
        # ko: otherwise="e^1000도, 0이 되어 버린 소프트맥스의 로그도 무한대입니다. `ops.log_softmax`는 소프트맥스와 로그를 한 번에 계산합니다.",
    )
    check.close(masked_loss(np.zeros((2, 3), dtype="int32"), logits), 0.0, "nothing but padding: the loss is 0")
    # ko: check.close(masked_loss(np.zeros((2, 3), dtype="int32"), logits), 0.0, "모두 패딩이면 손실은 0")
    check.close(masked_loss(labels.astype("float32"), logits), (each[0] + each[1] + each[3]) / 3, "labels as floats, as Keras hands them over")
    # ko: check.close(masked_loss(labels.astype("float32"), logits), (each[0] + each[1] + each[3]) / 3, "케라스가 넘기는 것처럼 실수인 라벨")
    on_both_sides = np.array([[0, 4, 3, 1]])
    logits = np.log(np.array([[[5, 2, 1, 1, 1], [1, 1, 3, 4, 1], [1, 3, 2, 3, 1], [1, 4, 3, 1, 1]]]) / 10.0).astype("float32")
    each = -np.log([0.5, 0.1, 0.3, 0.4])
    check.close(
        masked_loss(on_both_sides, logits, pad_id=3),
        each[[0, 1, 3]].mean(),
        "with pad_id=3 only the label 3 is left out",
        # ko: "pad_id=3이면 라벨 3만 뺀다",
        hints={
            "the label 0 is left out, and 3 is counted: padding is what equals `pad_id`.": each[1:].mean(),
            # ko: "라벨 0을 빼고 3을 셌습니다. `pad_id`와 같은 라벨이 패딩입니다.": each[1:].mean(),
            "only the label above 3 is counted. Those below `pad_id` are words too.": each[1],
            # ko: "3보다 큰 라벨만 셌습니다. `pad_id`보다 작은 라벨도 단어입니다.": each[1],
            "the label 0 is left out too. Only what equals `pad_id` is padding.": each[[1, 3]].mean(),
            # ko: "라벨 0까지 뺐습니다. `pad_id`와 같은 라벨만 패딩입니다.": each[[1, 3]].mean(),
            "the padding, here 3, is counted.": each.mean(),
            # ko: "패딩(여기서는 3)까지 셌습니다.": each.mean(),
        },
    )
    check.compiles(masked_loss, on_both_sides.astype("float32"), logits, required=False)
_check

# %%
@demonstrate
def _demo():
    sharp = np.zeros(12)
    sharp[4] = 1
    figure, axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")
    for ax, smoothing in zip(axes[:2], (0.0, 0.2), strict=True):
        ax.bar(range(12), (1 - smoothing) * sharp + smoothing / 12, color="#8a6d3b")
        ax.set(title=f"target, smoothing {smoothing:g}", xlabel="token", ylim=(0, 1.05))
        # ko: ax.set(title=f"목표 분포 (target), 스무딩 {smoothing:g}", xlabel="토큰 (token)", ylim=(0, 1.05))
    confidence = np.linspace(-2, 14, 41)
    for smoothing in (0.0, 0.1, 0.2):
        losses = [float(to_numpy(masked_loss(np.array([[4]]), (sharp * z)[None, None].astype("float32"), smoothing))) for z in confidence]
        axes[2].plot(confidence, losses, label=f"smoothing {smoothing:g}")
        # ko: axes[2].plot(confidence, losses, label=f"스무딩 (smoothing) {smoothing:g}")
    axes[2].set(title="loss, as the label's logit grows", xlabel="how far the label's logit is above the others")
    # ko: axes[2].set(title="라벨의 로짓이 커질 때의 손실 (loss)", xlabel="라벨의 로짓이 나머지보다 큰 정도 (logit)")
    axes[2].legend()
    plt.show()

# %% [markdown]
# Without smoothing, more certainty is always better. With smoothing there is a point beyond which it costs.
#
# > **Does this hold?** *"Label smoothing means using the model's own probabilities as the target."* A blog says so. Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > It doesn't hold: the target is mixed with the **uniform** distribution, which knows nothing of the model. With the model's
# > own probabilities the second term would be its entropy, and the loss would *reward* certainty even more.
# >
# > </details>
#
# ## Task 4: the accuracy (2 points)
#
# *Difficulty 1 of 5, about 10 minutes.*
#
# The loss is hard to read. How many words are right? A word is right if its logit is the largest; padding counts neither as
# right nor as wrong.
#
# <details><summary>Hint 1: What is compared with what?</summary>
#
# The place of the largest logit (`ops.argmax` over the last axis) with the label, both as the same kind of whole number. The rest is
# as in the loss: only positions that aren't padding, at least 1 below the fraction.
#
# </details>
#
# <!-- ko -->
# 스무딩이 없으면 확신은 클수록 좋습니다. 스무딩이 있으면 어느 지점부터는 더 큰 확신이 손해가 됩니다.
#
# > **정말 그럴까?** *"라벨 스무딩은 모델 자신의 확률을 목표로 쓰는 것이다."* 어느 블로그의 설명입니다. 답을 펼치기 전에 그렇게 생각하는 까닭까지 적어 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 그렇지 않습니다. 목표 분포에는 모델의 예측과 전혀 상관없는 **균등** 분포를 섞습니다. 모델 자신의 확률을 섞으면 둘째 항이 모델의
# > 엔트로피(entropy)가 되어, 손실이 확신을 오히려 더 *부추깁니다*.
# >
# > </details>
#
# ## 과제 4: 정확도(accuracy) (2점)
#
# *난이도 1/5, 10분쯤.*
#
# 손실은 값만 보아서는 좋은지 나쁜지 알기 어렵습니다. 단어를 얼마나 맞혔을까요? 라벨인 단어의 로짓이 가장 크면 맞힌 것입니다. 패딩은 맞은
# 것으로도 틀린 것으로도 세지 않습니다.
#
# <details><summary>힌트 1: 무엇과 무엇을 비교할까요?</summary>
#
# 가장 큰 로짓의 자리(마지막 축의 `ops.argmax`)와 라벨을 같은 정수 자료형으로 비교합니다. 나머지는 손실과 같습니다. 패딩이 아닌 위치만
# 세고, 분모는 적어도 1입니다.
#
# </details>


# %% task="masked-accuracy"
def masked_accuracy(labels, logits, pad_id=0):
    """
    Return the share of right tokens among those that are not padding.
    # ko: 패딩이 아닌 토큰 가운데 맞힌 토큰의 비율을 돌려줍니다.

    Args:
    # ko: 인수:
        labels: (batch, len), token ids.
        # ko: labels: (batch, len), 토큰 ID.
        logits: (batch, len, vocab_size).
        pad_id: label of padding.
        # ko: pad_id: 패딩의 라벨.

    Returns:
    # ko: 반환값:
        One number from 0 to 1; 0 if everything is padding.
        # ko: 0부터 1까지의 스칼라(수 하나). 모두 패딩이면 0입니다.
    """
    ### BEGIN SOLUTION
    labels = ops.cast(labels, "int32")
    right = ops.cast(ops.equal(ops.cast(ops.argmax(logits, axis=-1), "int32"), labels), "float32")
    kept = ops.cast(ops.not_equal(labels, pad_id), "float32")
    return ops.sum(right * kept) / ops.maximum(ops.sum(kept), 1.0)
    ### END SOLUTION


# %% grade="masked-accuracy" points=2
@checking("masked_accuracy")
def _check(check):
    labels = np.array([[1, 2, 0, 0, 0, 0], [3, 2, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0]], "int32")  # as `fit` hands them over
    # ko: labels = np.array([[1, 2, 0, 0, 0, 0], [3, 2, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0]], "int32")  # `fit`이 넘기는 것과 같은 dtype
    logits = 9 * np.eye(6, dtype="float32")[[[1, 0, 2, 0, 0, 1], [5, 2, 1, 0, 1, 0], [4, 2, 5, 2, 0, 2]]]
    over_positions = logits.argmax(axis=1)
    check.shape(masked_accuracy(labels, logits), (), "one number")
    # ko: check.shape(masked_accuracy(labels, logits), (), "스칼라(수 하나)")
    check.close(
        masked_accuracy(labels, logits),
        3 / 5,
        "three of five words",
        # ko: "다섯 단어 가운데 셋",
        hints={
            "the padding is counted.": 8 / 18,
            # ko: "패딩까지 셌습니다.": 8 / 18,
            "padding is counted as right. It counts neither as right nor as wrong.": 16 / 18,
            # ko: "패딩을 맞은 것으로 셌습니다. 맞은 것으로도 틀린 것으로도 세지 마세요.": 16 / 18,
            "only the padding is counted: the mask is turned round.": 5 / 13,
            # ko: "패딩만 셌습니다. 마스크가 거꾸로입니다.": 5 / 13,
            "what the model takes for padding is left out. Leave out where the *label* is padding.": 3 / 12,
            # ko: "모델이 패딩이라고 한 자리를 뺐습니다. *라벨*이 패딩인 자리를 빼세요.": 3 / 12,
            "it is divided by the number of all positions.": 3 / 18,
            # ko: "모든 위치의 수로 나누었습니다.": 3 / 18,
            "it is divided by the number of words plus 1. To avoid 0, divide by *at least* 1.": 3 / 6,
            # ko: "단어의 수에 1을 더한 값으로 나누었습니다. 0을 피하려면 *적어도* 1로 나누세요.": 3 / 6,
            "this is the number of right words. A share is asked for.": 3,
            # ko: "맞은 단어의 수입니다. 비율을 구해야 합니다.": 3,
            "this is the share of rows that are wholly right.": 1 / 3,
            # ko: "모두 맞은 행의 비율입니다.": 1 / 3,
            "each row is averaged by itself: every word counts the same.": (1 / 2 + 1 / 2 + 1) / 3,
            # ko: "행마다 따로 평균을 냈습니다. 모든 단어를 똑같이 세야 합니다.": (1 / 2 + 1 / 2 + 1) / 3,
            "the largest logit is sought along the positions. Seek it over the vocabulary, the last axis.": np.mean((over_positions == labels)[labels > 0]),
            # ko: "가장 큰 로짓을 위치 방향으로 찾았습니다. 마지막 축인 어휘 방향으로 찾으세요.": np.mean((over_positions == labels)[labels > 0]),
            "the padding is counted above the fraction line, but not below.": 8 / 5,
            # ko: "분자에서는 패딩까지 세고 분모에서는 뺐습니다.": 8 / 5,
            "does `ops.argmax` get its axis? Without one it seeks a single place in the whole array.": 1 / 5,
            # ko: "`ops.argmax`에 축을 주었나요? 축이 없으면 배열 전체에서 한 자리만 찾습니다.": 1 / 5,
            "this is 0, though three words are right. Is the *place* of the largest logit (`ops.argmax`) compared with the label itself? "
            # ko: "0이 나왔지만 맞은 단어는 셋입니다. 가장 큰 로짓의 *자리*(`ops.argmax`)를 라벨 자체와 비교하나요? "
            "Or is the share made a whole number, by `//` or a cast?": 0,
            # ko: "아니면 `//`나 `ops.cast` 때문에 비율이 정수가 되지 않았나요?": 0,
        },
    )
    check.close(
        masked_accuracy(labels.astype("int64"), logits),
        3 / 5,
        "the same with int64 labels",
        # ko: "라벨이 int64일 때도 같다",
    )
    check.close(masked_accuracy(np.zeros_like(labels), logits), 0.0, "nothing but padding: the accuracy is 0")
    # ko: check.close(masked_accuracy(np.zeros_like(labels), logits), 0.0, "모두 패딩이면 정확도는 0")
    check.close(
        masked_accuracy(np.array([[0, 4, 3, 1, 2]]), np.eye(5, dtype="float32")[[[0, 4, 2, 2, 2]]], pad_id=3),
        3 / 4,
        "with pad_id=3 only the label 3 is left out",
        # ko: "pad_id=3이면 라벨 3만 뺀다",
        hints={
            "the label 0 is left out, and 3 is counted: padding is what equals `pad_id`.": 2 / 4,
            # ko: "라벨 0을 빼고 3을 셌습니다. `pad_id`와 같은 라벨이 패딩입니다.": 2 / 4,
            "only the label above 3 is counted. Those below `pad_id` are words too.": 1.0,
            # ko: "3보다 큰 라벨만 셌습니다. `pad_id`보다 작은 라벨도 단어입니다.": 1.0,
            "the label 0 is left out too. Only what equals `pad_id` is padding.": 2 / 3,
            # ko: "라벨 0까지 뺐습니다. `pad_id`와 같은 라벨만 패딩입니다.": 2 / 3,
            "the padding, here 3, is counted.": 3 / 5,
            # ko: "패딩(여기서는 3)까지 셌습니다.": 3 / 5,
        },
    )
    check.compiles(masked_accuracy, labels, logits, required=False)
_check

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(3)
    lengths = rng.integers(2, 20, 200)
    padded_labels = np.where(np.arange(20) < lengths[:, None], rng.integers(4, 49, (200, 20)), PAD)
    figure, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
    shares = np.linspace(0, 1, 11)
    for name, padding_right in (("padding left out", None), ("padding counted as right", True)):
    # ko: for name, padding_right in (("패딩을 뺌 (left out)", None), ("패딩을 맞은 것으로 셈 (counted)", True)):
        drawn = []
        for share in shares:
            said = np.where((rng.random(padded_labels.shape) < share) | (padded_labels == PAD), padded_labels, 1)
            one_hot = np.eye(49, dtype="float32")[said]
            drawn.append((said == padded_labels).mean() if padding_right else float(to_numpy(masked_accuracy(padded_labels, one_hot))))
        ax.plot(shares, drawn, marker="o", label=name)
    ax.set(xlabel="share of words that are right", ylabel="accuracy", title="counted padding flatters")
    # ko: ax.set(xlabel="맞힌 단어의 비율 (share)", ylabel="정확도 (accuracy)", title="패딩을 세면 정확도가 부풀려진다")
    ax.legend()
    plt.show()

# %% [markdown]
# ## Task 5: greedy decoding (4 points)
#
# *Difficulty 3 of 5, about 40 minutes.*
#
# Now the model speaks. Nobody gives it the earlier words any more; it gets its own.
#
# ![In training the decoder gets the right words at all positions and is asked for the next ones. In decoding each word that it writes goes back in as its next input.](../_shared/diagrams/training-and-decoding.svg)
#
# 1. Every row begins with BOS.
# 2. Give the model the sources and *all* ids so far. Look at the logits of the **last** position (the others say again what is
#    already written).
# 3. The likeliest token of each row is appended.
# 4. A row that has said EOS has ended: from then on it gets padding (0), whatever the model says. Its EOS stays.
# 5. Stop as soon as every row has ended, or when the rows have `max_len` ids, BOS included.
#
# `model` is any callable: `model([source_ids, target_ids])` gives logits `(batch, target_len, vocab_size)`. The example in the
# public check is not a Transformer at all.
#
# **Faster.** With every new length, TensorFlow and JAX prepare their computation anew. The logits at a position don't depend on
# later ids: so the ids may have `max_len` columns from the start, filled with 0 (these are in the future, so no written position sees
# them), and you read the logits of the last position that is written. Give all rows at once. And Keras models have
# `predict_on_batch`, which is compiled and takes the same `[source_ids, target_ids]`: use it if the model has it.
#
# <details><summary>Hint 1: Which position do you read?</summary>
#
# When `position` ids are written, the last of them stands at `position - 1`, and its logits are about the next id. The columns after
# that hold 0 so far.
#
# </details>
#
# <details><summary>Hint 2: How does a row end?</summary>
#
# Keep one truth value a row. A row that has ended gets 0 (`np.where`); *after* the new id is written, those that are EOS end.
#
# </details>
#
# <details><summary>Hint 3: What is returned?</summary>
#
# All rows, cut off behind the column that was written last. If some row hasn't ended by then, these are `max_len` columns.
#
# </details>
#
# <!-- ko -->
# ## 과제 5: 탐욕 디코딩(greedy decoding) (4점)
#
# *난이도 3/5, 40분쯤.*
#
# 이제 모델이 말할 차례입니다. 아무도 앞 단어를 주지 않으므로 모델은 자기가 쓴 단어를 다시 읽습니다.
#
# ![학습할 때 디코더는 모든 위치에서 올바른 단어를 받고 그다음 단어를 맞힙니다. 디코딩할 때는 디코더가 쓴 단어가 다음 입력으로 다시 들어갑니다.](../_shared/diagrams/training-and-decoding.svg)
#
# 1. 모든 행은 BOS로 시작합니다.
# 2. 모델에 소스와 지금까지의 ID를 *모두* 줍니다. **마지막** 위치의 로짓을 봅니다(다른 위치의 로짓은 이미 쓴 단어를 다시 말할 뿐입니다).
# 3. 행마다 가장 가능성이 큰 토큰을 뒤에 붙입니다.
# 4. EOS를 말한 행은 끝난 것입니다. 그 뒤로는 모델이 무엇이라고 하든 패딩(0)을 붙입니다. EOS는 그대로 둡니다.
# 5. 모든 행이 끝나거나 행의 ID가 BOS를 포함해 `max_len`개가 되면 바로 멈춥니다.
#
# `model`은 호출할 수 있는 것이면 무엇이든 됩니다. `model([source_ids, target_ids])`가 로짓 `(batch, target_len, vocab_size)`를 냅니다.
# 공개 검사의 예는 트랜스포머도 아닙니다.
#
# **더 빠르게.** 텐서플로와 JAX는 길이가 바뀔 때마다 계산을 새로 준비합니다. 어떤 위치의 로짓도 그 뒤의 ID에 영향받지 않으므로,
# ID를 처음부터 0으로 채운 `max_len`열로 두고(이 0들은 미래에 있으므로 이미 쓴 위치에서는 보이지 않습니다) 마지막으로 쓴 위치의 로짓을 읽어도
# 됩니다. 행은 모두 한꺼번에 주세요. 그리고 케라스 모델에는 똑같이 `[source_ids, target_ids]`를 받아 컴파일된 채로 계산하는
# `predict_on_batch`가 있습니다. 모델에 그것이 있으면 쓰세요.
#
# <details><summary>힌트 1: 어느 위치를 읽을까요?</summary>
#
# ID를 `position`개 썼다면 마지막 것은 `position - 1`에 있고, 그 로짓이 다음 ID를 말해 줍니다. 그 뒤의 열은 아직 0입니다.
#
# </details>
#
# <details><summary>힌트 2: 행은 어떻게 끝날까요?</summary>
#
# 행마다 참·거짓 하나를 둡니다. 끝난 행에는 0을 씁니다(`np.where`). 새 ID를 쓴 *다음에* 그것이 EOS인 행을 끝난 것으로 바꾸세요.
#
# </details>
#
# <details><summary>힌트 3: 무엇을 돌려줄까요?</summary>
#
# 모든 행을, 마지막으로 쓴 열까지 잘라 돌려줍니다. 그때까지 끝나지 않은 행이 있으면 `max_len`열입니다.
#
# </details>


# %% task="greedy-decode"
def greedy_decode(model, source_ids, bos_id, eos_id, max_len):
    """
    Let a model write, always taking the likeliest token.
    # ko: 언제나 가장 가능성이 큰 토큰을 골라 모델이 글을 쓰게 합니다.

    Args:
    # ko: 인수:
        model: a callable, `model([source_ids, target_ids])` -> logits (batch, target_len, vocab_size). The logits at a
        # ko: model: 호출할 수 있는 것. `model([source_ids, target_ids])` -> 로짓 (batch, target_len, vocab_size).
            position don't depend on later target ids.
            # ko: 어떤 위치의 로짓도 그 뒤의 타깃 ID에 영향받지 않습니다.
        source_ids: (batch, source_len).
        bos_id: first id of every row.
        # ko: bos_id: 모든 행의 첫 ID.
        eos_id: ends a row.
        # ko: eos_id: 행을 끝내는 ID.
        max_len: number of ids, BOS included, at which rows end in any case.
        # ko: max_len: BOS를 포함해 ID가 이만큼 되면 행은 무조건 끝납니다.

    Returns:
    # ko: 반환값:
        Ids (batch, at most max_len): BOS, tokens, EOS, then 0.
        # ko: ID (batch, 많아야 max_len): BOS, 토큰들, EOS, 그 뒤는 0.
    """
    ### BEGIN SOLUTION
    # always the same shape, so that a Keras model is compiled once for all positions
    logits_of = model.predict_on_batch if isinstance(model, keras.Model) else model
    ids = np.zeros((len(source_ids), max_len), dtype="int32")
    ids[:, 0] = bos_id
    has_ended = np.zeros(len(source_ids), dtype=bool)
    for position in range(1, max_len):
        logits = to_numpy(logits_of([source_ids, ids]))[:, position - 1]
        ids[:, position] = np.where(has_ended, 0, logits.argmax(axis=-1))
        has_ended |= ids[:, position] == eos_id
        if has_ended.all():
            return ids[:, : position + 1]
    return ids
    ### END SOLUTION


# %% grade="greedy-decode" points=4
def _countdown(bos_id, eos_id):
    """
    A model that counts down from the source's first id to 10, then says EOS. After padding it says 15; of ids that don't begin with BOS, UNK.
    # ko: 소스의 첫 ID에서 10까지 거꾸로 센 다음 EOS를 말하는 모델. 패딩 다음에는 15를, BOS로 시작하지 않는 ID를 받으면 UNK를 말합니다.
    """

    def model(inputs, training=None):
        is_pair = len(inputs) == 2 if isinstance(inputs, (list, tuple)) else np.ndim(inputs) == 3
        if not is_pair or np.ndim(training):  # the second of two arguments would be `training`
        # ko: if not is_pair or np.ndim(training):  # 인수를 둘 주면 둘째가 `training`이 됩니다
            raise CheckFailed("greedy_decode: give the model one argument, a list of two arrays: `model([source_ids, ids])`.")
            # ko: raise CheckFailed("greedy_decode: 모델에 주는 인수는 배열 두 개를 묶은 리스트 하나입니다: `model([source_ids, ids])`.")
        source_ids, target_ids = ops.cast(inputs[0], "int32"), ops.cast(inputs[1], "int32")
        sources, ids = tuple(source_ids.shape), tuple(target_ids.shape)
        if not len(sources) == len(ids) == 2 or len({sources[0], ids[0]} - {None}) > 1:
            raise CheckFailed(f"greedy_decode: the model gets sources {sources} and ids {ids}, but (batch, source_len) and (batch, n) are wanted.")
            # ko: raise CheckFailed(f"greedy_decode: 모델이 받은 소스의 모양이 {sources}, ID의 모양이 {ids}입니다. (batch, source_len)과 (batch, n)이어야 합니다.")
        after_words = ops.where(target_ids > 10, target_ids - 1, ops.where(target_ids == PAD, 15, eos_id))
        following = ops.where(target_ids == bos_id, source_ids[:, :1], after_words)
        return ops.one_hot(ops.where(target_ids[:, :1] == bos_id, following, UNK), 20)

    return model


@checking("greedy_decode")
def _check(check):
    model, source, calls = _countdown(BOS, EOS), np.array([[12, 0], [10, 0]]), []

    def counting(inputs, training=None):
        calls.append(1)
        return model(inputs)

    try:
        said = greedy_decode(model, source, BOS, EOS, 9)
    except AttributeError as error:
        if error.name not in ("predict", "predict_on_batch"):
            raise
        raise CheckFailed(f"greedy_decode: the model of this check is a function without `{error.name}`. Use that only where the model has it.") from None
        # ko: raise CheckFailed(f"greedy_decode: 이 검사의 모델은 `{error.name}`이(가) 없는 함수입니다. 모델에 그것이 있을 때만 쓰세요.") from None
    check.true(said is not None, "it returns ids", "it returned None. Is the `return` missing?")
    # ko: check.true(said is not None, "ID를 돌려준다", "None을 돌려주었습니다. `return`이 빠지지 않았나요?")
    said = to_numpy(said)
    is_batch = said.ndim == 2 and len(said) == 2
    check.true(is_batch, "ids (batch, n)", f"the shape is {said.shape}, but (batch, n) is (2, n).")
    # ko: check.true(is_batch, "ID (batch, n)", f"모양이 {said.shape}입니다. 여기서 (batch, n)은 (2, n)이어야 합니다.")
    check.true(bool((said[:, 0] == BOS).all()), "rows begin with BOS", "each row begins with BOS.")
    # ko: check.true(bool((said[:, 0] == BOS).all()), "행은 BOS로 시작한다", "모든 행은 BOS로 시작해야 합니다.")
    check.true(said.shape[1] <= 9, "at most max_len ids", "there are more than max_len ids.")
    # ko: check.true(said.shape[1] <= 9, "ID는 많아야 max_len개", "ID가 max_len개보다 많습니다.")
    check.true(
        not (said[:, 1:] == UNK).any(),
        "the model gets the sources, and ids that begin with BOS",
        # ko: "모델은 소스와 BOS로 시작하는 ID를 받는다",
        "the model was given ids that don't begin with BOS. Does it get `[source_ids, ids]`, with *all* ids so far?",
        # ko: "모델이 BOS로 시작하지 않는 ID를 받았습니다. 모델에 `[source_ids, ids]`를 주나요? 지금까지의 ID를 *모두* 주나요?",
    )
    check.true(
        said.shape[1] < 2 or not (said[:, 1] == 15).all(),
        "the first word isn't what the model says after padding",
        # ko: "첫 단어는 모델이 패딩 다음에 하는 말이 아니다",
        "the first word is 15, but after BOS the model says 12 and 10. It says 15 after padding (0). Do you read the logits of the last position that is *written*?",
        # ko: "첫 단어가 15인데, 모델은 BOS 다음에 12와 10이라고 합니다. 15는 패딩(0) 다음에 하는 말입니다. 마지막으로 *쓴* 위치의 로짓을 읽나요?",
    )
    check.true(
        said.shape[1] >= 5,
        "the longer row ends",
        # ko: "긴 행도 끝까지 간다",
        "the longer row (12, 11, 10, then EOS) is cut off: stop when *every* row has ended, and return the last EOS too."
        # ko: "긴 행(12, 11, 10, 그다음 EOS)이 잘렸습니다. 모든 행이 끝났을 때 멈추고, 마지막 EOS까지 돌려주세요."
        if said.shape[1] > 1
        else "only BOS came back. `np.concatenate` and `np.append` return a new array: is it kept? Or does the loop end before a word is written?",
        # ko: else "BOS만 나왔습니다. `np.concatenate`와 `np.append`는 새 배열을 돌려줍니다. 그것을 받아 두었나요? 아니면 단어를 쓰기 전에 반복이 끝나나요?",
    )
    own = "Does each row get its own likeliest token (`argmax` over the last axis) as long as it hasn't ended? And after its EOS a row holds padding (0)."
    # ko: own = "끝나지 않은 행은 저마다 가장 가능성이 큰 토큰(마지막 축의 `argmax`)을 받나요? 그리고 EOS 뒤에는 패딩(0)이 옵니다."
    check.close(
        said[0, :5],
        [1, 12, 11, 10, 2],
        "a row that counts from 12 to 10",
        # ko: "12에서 10까지 세는 행",
        hints={
            "its EOS is missing: padding begins after it.": [1, 12, 11, 10, 0],
            # ko: "EOS가 없습니다. 패딩은 EOS 다음부터입니다.": [1, 12, 11, 10, 0],
            "the first word comes again and again. Do the new ids go back into the model, and do you read the *last* position that is written?": [1, 12, 12, 12, 12],
            # ko: "첫 단어만 되풀이됩니다. 새 ID를 모델에 다시 넣고, 마지막으로 *쓴* 위치를 읽나요?": [1, 12, 12, 12, 12],
        },
        otherwise=own,
    )
    check.close(
        said[1, :5],
        [1, 10, 2, 0, 0],
        "a row that ends earlier: EOS, then padding",
        # ko: "먼저 끝나는 행: EOS 다음에 패딩",
        hints={
            "after EOS there should be padding (0).": [1, 10, 2, 2, 2],
            # ko: "EOS 뒤에는 패딩(0)이 와야 합니다.": [1, 10, 2, 2, 2],
            "its EOS is missing: padding begins after it.": [1, 10, 0, 0, 0],
            # ko: "EOS가 없습니다. 패딩은 EOS 다음부터입니다.": [1, 10, 0, 0, 0],
            "it gets one padding and then speaks again. What has ended stays ended, whatever the model says later.": [1, 10, 2, 0, 15],
            # ko: "패딩 하나를 붙인 뒤 다시 말하기 시작합니다. 한 번 끝난 행은, 모델이 나중에 무엇이라고 하든 끝난 것입니다.": [1, 10, 2, 0, 15],
        },
        otherwise=own,
    )
    check.true(
        not said[:, 5:].any(),
        "nothing after the end",
        # ko: "끝난 뒤에는 아무것도 없다",
        "after EOS only padding (0) may follow, but a row that had ended speaks again. What has ended stays ended, whatever the model says later.",
        # ko: "EOS 뒤에는 패딩(0)만 올 수 있는데, 끝난 행이 다시 말하기 시작합니다. 한 번 끝난 행은, 모델이 나중에 무엇이라고 하든 끝난 것입니다.",
    )
    if said.shape[1] > 5:
        check.note("columns are left in which every row is padding: the rows should be cut off behind the last column that was written.")
        # ko: check.note("모든 행이 패딩뿐인 열이 남아 있습니다. 마지막으로 쓴 열까지 잘라서 돌려주세요.")
    long = greedy_decode(model, np.array([[19, 0]]), BOS, EOS, 6)
    check.shape(long, (1, 6), "(batch, max_len)")
    check.close(
        long,
        [[1, 19, 18, 17, 16, 15]],
        "a row that doesn't end within max_len",
        # ko: "max_len 안에 끝나지 않는 행",
        otherwise="It is cut off as it stands: the last column is written too, and no EOS is put in.",
        # ko: otherwise="그대로 잘립니다. 마지막 열까지 쓰고, EOS를 억지로 넣지 않습니다.",
    )
    greedy_decode(counting, np.array([[10, 0]]), BOS, EOS, 9)
    check.true(
        len(calls) <= 3,
        "with one row only, it stops as soon as that row has ended",
        # ko: "행이 하나면 그 행이 끝날 때 바로 멈춘다",
        f"a row that ends after two tokens took {len(calls)} calls of the model: stop as soon as every row has ended.",
        # ko: f"토큰 두 개로 끝나는 행에 모델을 {len(calls)}번 호출했습니다. 모든 행이 끝나면 바로 멈추세요.",
    )
    calls.clear()
    said = to_numpy(greedy_decode(counting, source[[1, 0]], BOS, EOS, 20))  # 4 calls for all rows at once, 6 for one row after the other
    # ko: said = to_numpy(greedy_decode(counting, source[[1, 0]], BOS, EOS, 20))  # 모든 행을 한꺼번에 하면 4번, 한 행씩 하면 6번
    check.true(
        said.shape[1] >= 5 and said[1, 4] == EOS,
        "the longer row ends where it is the second one, too",
        # ko: "긴 행이 둘째 행이어도 끝까지 간다",
        "where the second row is the longer one (12, 11, 10), it doesn't get to its EOS: stop when *every* row has ended.",
        # ko: "둘째 행이 더 길면(12, 11, 10) 이 행이 EOS까지 가지 못합니다. 모든 행이 끝났을 때 멈추세요.",
    )
    check.true(
        len(calls) <= 7,
        "it stops as soon as every row has ended, each at a place of its own",
        # ko: "행들이 저마다 다른 자리에서 끝나도 모두 끝나면 바로 멈춘다",
        f"two rows that end after 2 and 4 tokens took {len(calls)} calls of the model: stop as soon as every row has ended, whenever it did.",
        # ko: f"각각 토큰 2개와 4개로 끝나는 두 행에 모델을 {len(calls)}번 호출했습니다. 언제 끝났든 모든 행이 끝나면 바로 멈추세요.",
    )
    said = to_numpy(greedy_decode(_countdown(5, 6), source, 5, 6, 9))
    check.true(
        bool((said[:, 0] == 5).all()),
        "with bos_id=5 rows begin with 5",
        # ko: "bos_id=5이면 행은 5로 시작한다",
        "with bos_id=5 each row begins with 5. Use the argument `bos_id`.",
        # ko: "bos_id=5이면 모든 행은 5로 시작해야 합니다. 인수 `bos_id`를 쓰세요.",
    )
    check.close(
        said[:, :5],
        [[5, 12, 11, 10, 6], [5, 10, 6, 0, 0]],
        "with bos_id=5 and eos_id=6 rows end at 6",
        # ko: "bos_id=5, eos_id=6이면 행은 6에서 끝난다",
        hints={"a row goes on after 6. Use the argument `eos_id`.": [[5, 12, 11, 10, 6], [5, 10, 6, 6, 6]]},
        # ko: hints={"6 뒤에도 이어지는 행이 있습니다. 인수 `eos_id`를 쓰세요.": [[5, 12, 11, 10, 6], [5, 10, 6, 6, 6]]},
        otherwise="Use the arguments `bos_id` and `eos_id` everywhere.",
        # ko: otherwise="어디에서나 인수 `bos_id`와 `eos_id`를 쓰세요.",
    )
_check

# %% [markdown]
# A picture of a decoding: a made-up model of 14 tokens, whose logits are drawn at random once. Each column is one step; the
# darkest token is taken and fed back.
#
# <!-- ko -->
# 디코딩을 그림으로 봅시다. 토큰이 14개인 가짜 모델이고, 로짓은 한 번 무작위로 뽑아 두었습니다. 열 하나가 한 단계입니다. 가장 짙은
# 토큰을 골라 다시 모델에 넣습니다.

# %%
@demonstrate
def _demo():
    rng = np.random.default_rng(106)
    after = rng.normal(size=(14, 14)) * 2
    after[:, [PAD, BOS]] = -6
    after[:, EOS] = -4
    after[9, EOS] = 5  # 9 is its last word
    # ko: after[9, EOS] = 5  # 이 모델의 마지막 단어는 9입니다

    def memoryless(inputs, training=None):
        return ops.convert_to_tensor(after[to_numpy(inputs[1]).astype(int)].astype("float32"))

    said = to_numpy(greedy_decode(memoryless, np.array([[5]]), BOS, EOS, 12))[0].astype(int)
    columns = after[said[:-1]].T
    shares = np.exp(columns - columns.max(axis=0)) / np.exp(columns - columns.max(axis=0)).sum(axis=0)
    figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
    image = ax.imshow(shares, cmap="YlOrBr", vmin=0, vmax=1, aspect="auto")
    ax.plot(range(len(said) - 1), said[1:], "o", mfc="none", mec="black", ms=13)
    ax.set(title=f"greedy path: {' '.join(map(str, said))}", xlabel="step", ylabel="token")
    # ko: ax.set(title=f"탐욕 경로 (greedy): {' '.join(map(str, said))}", xlabel="단계 (step)", ylabel="토큰 (token)")
    ax.set_xticks(range(len(said) - 1))
    ax.set_yticks(range(14), ["<pad>", "<bos>", "<eos>", *map(str, range(3, 14))])
    figure.colorbar(image, ax=ax, label="probability")
    # ko: figure.colorbar(image, ax=ax, label="확률 (probability)")
    plt.show()

# %% [markdown]
# ## Three questions before the training
#
# *Nothing to write: guess, run, and read.*
#
# A training takes minutes, in practice days. The next three questions are answered within a minute (on two processor cores that have nothing else to do), and every practitioner asks them first. They find most of what can be wrong with a model, a
# loss and a learning rate *together*.
#
# 1. **The first loss.** A model that knows nothing can do no better than to call all $V$ tokens equally likely. Which loss is that for 49 tokens? And what is it for a fresh
#    model, which isn't quite so undecided?
# 2. **One batch by heart.** Eight pairs, again and again, at a constant rate of 2e-3. After how many updates does the model know them by heart, and does it write them?
# 3. **The learning rate.** One training in which the rate grows from update to update, from 1e-5 to 1. From which rate on does the loss fall, and at which does it begin to climb?
#
# <!-- ko -->
# ## 학습하기 전의 세 가지 질문
#
# *작성할 것은 없습니다. 짐작하고, 실행하고, 읽으세요.*
#
# 학습에는 몇 분, 실제 일에서는 며칠이 걸립니다. 다음 세 질문에는 (다른 일이 없는 프로세서 코어 두 개로) 1분 안에 답이 나오고, 경험 있는 사람은 누구나 이것부터 물어봅니다. 모델, 손실, 학습률이 맞물려 생기는 문제를
# 거의 다 찾아내기 때문입니다.
#
# 1. **첫 손실.** 아무것도 모르는 모델이 할 수 있는 최선은 토큰 $V$개의 확률을 똑같이 두는 것입니다. 토큰이 49개일 때 그 손실은 얼마일까요? 확률을 그렇게 고르게 두지는 않는, 갓 만든 모델의 손실은
#    얼마일까요?
# 2. **배치(batch) 하나 외우기.** 쌍 여덟 개를 학습률 2e-3으로 되풀이해서 학습합니다. 업데이트를 몇 번 하면 모두 외울까요? 그리고 외운 것을 쓸 수 있을까요?
# 3. **학습률.** 한 번의 학습에서 업데이트마다 학습률을 1e-5에서 1까지 키웁니다. 손실은 어느 학습률부터 내려가고, 어느 학습률에서 올라가기 시작할까요?

# %%
@demonstrate
def _demo():
    if BEING_GRADED:
        return
    source, target = to_pairs(draw_numbers(7_000, seed=7))
    reads, asked = (to_numpy(part) for part in teacher_forcing_pairs(target))

    def fresh_model():
        keras.utils.set_random_seed(3)
        return build_transformer(len(TOKENS), MAX_LEN, 2, 64, 4, 128, dropout=0.0)

    def update(model, rows):
        """Make one update with some of the pairs; return its loss."""
        # ko: """몇 쌍으로 한 번 업데이트하고 그 손실을 돌려줍니다."""
        try:
            loss = model.train_on_batch([source[rows], reads[rows]], asked[rows])
        except Exception as error:
            if _is_stub(error):
                raise
            raise CheckFailed(f"an update with your model and your loss: {_explained(error)}") from None
            # ko: raise CheckFailed(f"여러분의 모델과 손실로 한 업데이트: {_explained(error)}") from None
        model.reset_metrics()
        return float(np.ravel(loss)[0])

    logits = to_numpy(fresh_model()([source[:128], reads[:128]]))
    first = float(to_numpy(masked_loss(asked[:128], logits)))
    print(f"1. the first loss is {first:.2f}; ln 49 = {np.log(49):.2f}, and half the variance of the logits is {logits.var(axis=-1).mean() / 2:.2f}")
    # ko: print(f"1. 첫 손실은 {first:.2f}, ln 49 = {np.log(49):.2f}, 로짓 분산의 절반은 {logits.var(axis=-1).mean() / 2:.2f}")

    model = fresh_model()
    model.compile(keras.optimizers.Adam(2e-3), masked_loss)
    by_heart = [update(model, slice(8)) for _ in range(80)]
    said = to_numpy(greedy_decode(model, source[:8], BOS, EOS, TARGET_LEN))
    written = sum(to_text(row) == to_text(right) for row, right in zip(said, target, strict=False))
    known = next((number for number, loss in enumerate(by_heart) if loss < 0.1), None)
    print(f"2. one batch: the loss is below 0.1 after {known} updates; after 80 the model writes {written} of 8 numbers without a mistake")
    # ko: print(f"2. 배치 하나: 업데이트 {known}번 뒤에 손실이 0.1 아래로 내려가고, 80번 뒤에는 수 8개 가운데 {written}개를 틀림없이 씁니다")

    model = fresh_model()
    model.compile(keras.optimizers.Adam(1e-5), masked_loss)
    rates, losses = np.geomspace(1e-5, 1, 100), []
    for number, rate in enumerate(rates):
        model.optimizer.learning_rate = float(rate)
        losses.append(update(model, slice(64 * number, 64 * number + 64)))
    smooth = np.convolve(losses, np.ones(9) / 9, mode="valid")
    print(f"3. the loss, a mean of 9, is lowest at a rate of {rates[4 + smooth.argmin()]:.0e}")
    # ko: print(f"3. 손실(9개의 평균)은 학습률 {rates[4 + smooth.argmin()]:.0e}에서 가장 낮습니다")

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.2), layout="constrained")
    left.semilogy(by_heart, color="#8a4b08")
    left.set(title="eight pairs, again and again", xlabel="update", ylabel="loss")
    # ko: left.set(title="쌍 여덟 개를 되풀이해서", xlabel="업데이트 (update)", ylabel="손실 (loss)")
    right.semilogx(rates, losses, color="#d9c8a9", label="one update")
    # ko: right.semilogx(rates, losses, color="#d9c8a9", label="업데이트 하나")
    right.semilogx(rates[4:-4], smooth, color="#8a4b08", label="mean of 9")
    # ko: right.semilogx(rates[4:-4], smooth, color="#8a4b08", label="9개의 평균")
    right.axvline(2e-3, color="grey", linestyle=":", label="the peak in task 6")
    # ko: right.axvline(2e-3, color="grey", linestyle=":", label="과제 6의 최고 학습률")
    right.set(title="a rate that grows with every update", xlabel="learning rate", ylabel="loss", ylim=(0, max(losses[:20]) + 1))
    # ko: right.set(title="업데이트마다 커지는 학습률", xlabel="학습률 (learning rate)", ylabel="손실 (loss)", ylim=(0, max(losses[:20]) + 1))
    right.legend()
    plt.show()

# %% [markdown]
# > **What to read.** (1) Close to $\ln 49 = 3.89$ plus half the variance of the logits (notebook 06); the seed makes a difference of up to 0.5. Far above, and something is too large, a scale perhaps; far below, and the answer is in the
# > input (a model with tied weights shows that at once, an untied one like this only as it learns). (2) Some 20 to 50 updates. If the loss stays up, no gradient arrives, or labels and logits don't belong together. If it falls and the numbers aren't written all the same, the model
# > has read its answers, or the decoding is wrong. (3) It falls from the lowest rates on, in some runs with a slow stretch in the middle; above about 1e-2 it hardly falls any further and goes up and down, and at much higher rates, towards 1, it shoots up. One takes a rate
# > clearly below the one at which it is lowest. That is where the 2e-3 below comes from, and for another model or batch size you would look again.
#
# ## Task 6: training (5 points)
#
# *Difficulty 2 of 5, about 20 minutes.*
#
# All together. `train` gets pairs of ids and returns a trained Keras model, which takes `[source_ids, target_ids]` and gives
# logits. What works here, measured on two processor cores:
#
# | | |
# |---|---|
# | model | 2 + 2 blocks, `d_model` 64, 4 heads, `ff_dim` 128, no dropout |
# | optimizer | Adam, `beta_2` 0.98, `epsilon` 1e-9 |
# | learning rate | up to 2e-3 over the first 10 % of the updates, then half a cosine down to 0 (`keras.optimizers.schedules.CosineDecay`, whose `decay_steps` leave the warm-up out) |
# | how long | 8 epochs in batches of 128 (6, with the rate down to 0 at their end, gave an exact match of 0.99 to 1.00, depending on model and seed) |
#
# You may do otherwise. What counts is what comes out:
#
# > **Grading.** `train` is called with 20 000 pairs that you have not seen, made as above of other numbers. Which id is which
# > syllable or word is shuffled too (0 to 3 stay), so that only the pairs tell: read no meaning into an id. It
# > may take **5 minutes on two processor cores**. Then 500 held-out numbers are decoded greedily. The share that comes out
# > wholly right gives the points: 0.50 → 1, 0.80 → 2, 0.90 → 3, 0.95 → 4, 0.98 → 5. What the model says has to come from its
# > weights.
# >
# > Before that, `train` is called with fewer pairs of shorter numbers, which takes less than a minute. If a model at least as large as the one
# > above, with a schedule that brings the rate down to about 0, has learnt these almost without a mistake, all points are earned
# > and the long training is left out; if not, nothing is lost. So take sizes from the arguments.
# >
# > **Weights handed in.** You may train on a faster machine and hand in the result: put the file `training.weights.h5` beside
# > the notebook (the cell below saves it) and let `train` load it instead of fitting:
# > `model.load_weights("training.weights.h5")`. With this file there the ids of the long call are the notebook's, so the weights fit. It must
# > be smaller than 20 MB. Put that line in when everything else is done: with it nothing is trained, so there are no curves to see.
#
# In `model.fit`, `callbacks=[Progress()]` draws a progress bar and keeps the curves; `verbose=0` silences Keras's own.
# Give your loss and accuracy to `compile`: `loss=masked_loss, metrics=[masked_accuracy]`.
#
# <details><summary>Hint 1: In which order?</summary>
#
# Seed; model from `build_transformer` with the sizes of the arguments; schedule and optimizer; `compile` with your loss and accuracy;
# pairs by `teacher_forcing_pairs`; `fit` on `[train_source, decoder_input]` and the labels; return the model.
#
# </details>
#
# <details><summary>Hint 2: How many updates are there?</summary>
#
# Epochs times batches, and the last batch may be smaller: round up. Of these, a tenth are warm-up, and `CosineDecay` wants in
# `decay_steps` only the rest. It begins at `initial_learning_rate`, here 0, and warms up to `warmup_target`; without that one it doesn't warm up at all.
# As it begins at 0, its first update teaches nothing. That is one of 1256, and does no harm.
#
# </details>
#
# <details><summary>Hint 3: The loss falls, but the match stays low</summary>
#
# Look at what the model writes. No word at all (`<bos>` again and again, its own input): the labels aren't shifted. Always the same: the look-ahead mask or the source is
# lost. Nearly right: more epochs, or a rate that comes down to 0.
#
# </details>
#
# <!-- ko -->
# > **결과 읽기.** (1) $\ln 49 = 3.89$에 로짓 분산의 절반을 더한 값에 가깝습니다(6번 노트북). 시드에 따라 0.5까지 차이가 납니다. 훨씬 크면 무언가가, 아마 어떤 스케일이 너무 큰 것이고, 훨씬 작으면 입력 안에 답이 있는 것입니다(가중치를 묶은 모델에서는 바로 드러나고, 여기처럼 묶지 않은 모델에서는 학습하면서 드러납니다). (2) 20번에서 50번쯤입니다.
# > 손실이 내려가지 않으면 기울기가 닿지 않거나 라벨과 로짓이 서로 맞지 않는 것입니다. 손실은 내려갔는데 수를 쓰지 못하면 모델이 답을 읽었거나 디코딩이 틀린 것입니다. (3) 가장 낮은 학습률부터 내려가며(중간에 느려질 때도 있습니다)
# > 1e-2쯤을 넘으면 거의 더 내려가지 않고 출렁이다가, 1에 가까운 훨씬 높은 학습률에서 치솟습니다. 보통 손실이 가장 낮은 학습률보다 꽤 낮은 것을 씁니다. 아래의 2e-3은 여기에서 나온 값이고, 모델이나 배치 크기가 달라지면 다시
# > 살펴보아야 합니다.
#
# ## 과제 6: 학습 (5점)
#
# *난이도 2/5, 20분쯤.*
#
# 모두 합칠 차례입니다. `train`은 ID의 쌍들을 받아 학습된 케라스 모델을 돌려줍니다. 이 모델은 `[source_ids, target_ids]`를 받아 로짓을
# 냅니다. 여기서 통하는 설정은 다음과 같습니다. 프로세서 코어 두 개에서 재었습니다.
#
# | | |
# |---|---|
# | 모델(model) | 블록(block) 2 + 2개, `d_model` 64, 헤드(head) 4개, `ff_dim` 128, 드롭아웃(dropout) 없음 |
# | 옵티마이저(optimizer) | Adam, `beta_2` 0.98, `epsilon` 1e-9 |
# | 학습률 | 업데이트의 처음 10% 동안 2e-3까지 올리고, 코사인 반 주기를 따라 0까지 내림 (`keras.optimizers.schedules.CosineDecay`. `decay_steps`에는 웜업이 들어가지 않음) |
# | 학습량 | 배치 크기 128로 8에폭 (학습률이 0까지 내려오는 6에폭이면 완전 일치가 모델과 시드에 따라 0.99~1.00) |
#
# 다르게 해도 됩니다. 결과가 중요합니다.
#
# > **채점.** 여러분이 보지 못한 쌍 20,000개로 `train`을 호출합니다. 위와 같은 방법으로 다른 수에서 만든 쌍입니다. 어느 ID가 어느 음절이나
# > 단어인지도 섞습니다(0~3은 그대로). 그것을 알려 주는 것은 쌍뿐이니 ID 자체에서 뜻을 읽지 마세요.
# > **프로세서 코어 두 개로 5분**까지 쓸 수 있습니다. 그런 다음 남겨 둔 수 500개를 탐욕 디코딩합니다. 완전히 맞은 비율이 점수가 됩니다.
# > 0.50 → 1점, 0.80 → 2점, 0.90 → 3점, 0.95 → 4점, 0.98 → 5점. 모델의 답은 그 가중치에서 나와야 합니다.
# >
# > 그 전에 더 짧은 수로 만든 더 적은 쌍으로 `train`을 한 번 호출하며, 이것은 1분이 걸리지 않습니다. 모델이 위의 것만큼 크고 스케줄이 학습률을 0
# > 가까이까지 낮추며 이 쌍들을 거의 실수 없이 익혔으면, 긴 학습을 하지 않고 점수를 모두 줍니다. 그렇지 않아도 잃는 것은 없습니다. 그러니
# > 크기는 인수에서 얻으세요.
# >
# > **가중치 제출.** 더 빠른 컴퓨터에서 학습하고 그 결과를 제출해도 됩니다. `training.weights.h5` 파일을 노트북 옆에 두고(아래 셀이
# > 이 파일을 저장합니다), `train`에서 학습하는 대신 파일을 불러오세요. `model.load_weights("training.weights.h5")`입니다. 이 파일이
# > 있으면 긴 호출의 ID가 노트북과 같으므로 가중치가 들어맞습니다. 파일은 20 MB보다 작아야 합니다. 이 줄은 다른 것을 모두 마친 뒤에
# > 넣으세요. 이 줄이 있으면 아무것도 학습하지 않으므로 곡선도 볼 수 없습니다.
#
# `model.fit`에 `callbacks=[Progress()]`를 주면 진행 막대를 그리고 곡선을 기록합니다. `verbose=0`은 케라스 자체의 출력을 끕니다.
# 여러분의 손실과 정확도는 `compile`에 주세요: `loss=masked_loss, metrics=[masked_accuracy]`.
#
# <details><summary>힌트 1: 어떤 순서일까요?</summary>
#
# 시드를 정하고, 인수의 크기로 `build_transformer` 모델을 만들고, 스케줄과 옵티마이저를 정하고, 여러분의 손실과 정확도로
# `compile`하고, `teacher_forcing_pairs`로 쌍을 만들어, `[train_source, decoder_input]`과 라벨로 `fit`한 다음 모델을 돌려줍니다.
#
# </details>
#
# <details><summary>힌트 2: 업데이트는 몇 번일까요?</summary>
#
# 에폭 수에 배치 수를 곱합니다. 마지막 배치는 작을 수 있으므로 올림하세요. 그 가운데 10분의 1이 웜업이고, `CosineDecay`의
# `decay_steps`에는 나머지만 줍니다. 학습률은 `initial_learning_rate`(여기서는 0)에서 시작해 `warmup_target`까지 오릅니다. `warmup_target`을 주지 않으면 웜업이 전혀 없습니다.
# 0에서 시작하므로 첫 업데이트에서는 아무것도 배우지 못하지만, 1256번 가운데 한 번이라 괜찮습니다.
#
# </details>
#
# <details><summary>힌트 3: 손실은 줄지만 완전 일치가 낮다면</summary>
#
# 모델이 쓴 글을 보세요. 한 단어도 쓰지 않으면(입력인 `<bos>`만 되풀이하면) 라벨이 밀리지 않은 것입니다. 늘 같은 글을 쓰면 룩어헤드 마스크나 소스가 빠진 것입니다.
# 거의 맞으면 에폭 수를 늘리거나 학습률이 0까지 내려오게 하세요.
#
# </details>


# %% task="trained-model" builds_on="carry-over warmup-schedule teacher-forcing masked-loss masked-accuracy greedy-decode" costly="train-carried"
def train(train_source, train_target, vocab_size, max_len, seed):
    """
    Train a Transformer to translate.
    # ko: 트랜스포머가 번역하도록 학습시킵니다.

    Args:
    # ko: 인수:
        train_source: (count, source_len), token ids of Korean numbers, padded with 0.
        # ko: train_source: (count, source_len), 한국어 수의 토큰 ID. 남는 자리는 0입니다.
        train_target: (count, len), BOS, ids of English words, EOS, padded with 0.
        # ko: train_target: (count, len), BOS, 영어 단어의 ID들, EOS. 남는 자리는 0입니다.
        vocab_size: size of the one vocabulary.
        # ko: vocab_size: 하나로 합친 어휘의 크기.
        max_len: at least the length of the longest sequence.
        # ko: max_len: 가장 긴 시퀀스의 길이 이상인 수.
        seed: seed of everything random.
        # ko: seed: 무작위로 정하는 것에 쓸 시드.

    Returns:
    # ko: 반환값:
        The trained keras.Model: [source_ids, target_ids] -> logits (batch, target_len, vocab_size).
        # ko: 학습된 keras.Model: [source_ids, target_ids] -> 로짓 (batch, target_len, vocab_size).
    """
    ### BEGIN SOLUTION
    keras.utils.set_random_seed(seed)
    model = build_transformer(vocab_size, max_len, num_layers=2, d_model=64, num_heads=4, ff_dim=128, dropout=0.0)
    epochs, batch_size = 8, 128
    updates = epochs * -(-len(train_source) // batch_size)
    warmup = updates // 10
    rate = keras.optimizers.schedules.CosineDecay(0.0, updates - warmup, warmup_target=2e-3, warmup_steps=warmup)
    optimizer = keras.optimizers.Adam(rate, beta_2=0.98, epsilon=1e-9)
    model.compile(optimizer, loss=masked_loss, metrics=[masked_accuracy])
    decoder_input, labels = teacher_forcing_pairs(train_target)
    model.fit(
        [train_source, decoder_input],
        labels,
        batch_size=batch_size,
        epochs=epochs,
        callbacks=[Progress()],
        verbose=0,
    )
    return model
    ### END SOLUTION


# %% [markdown]
# The next cell draws 21 000 numbers, trains on 20 000 and keeps the last 1000 for the test. On two processor cores that have nothing else to do it takes
# about two minutes. It writes the weights to `training.weights.h5`. Each run writes over that file: keep a copy of a good one.
#
# **On an accelerator.** The first cell printed the device that Keras found; you need not do anything else. On Colab choose it
# under *Runtime*, *Change runtime type*. For another backend, write this line in a cell above the first one and restart the
# kernel:
#
# ```python
# %env KERAS_BACKEND=jax
# ```
#
# (or `torch`). Where the device can, the training computes in bfloat16 and keeps its weights in float32 (*mixed precision*), if
# your model and your loss can do that too. The usual reason why not: a table or a mask in float32 that meets bfloat16.
# `ops.cast(table, x.dtype)` helps.
#
# <!-- ko -->
# 다음 셀은 수 21,000개를 뽑아 20,000개로 학습하고 마지막 1,000개를 시험용으로 남겨 둡니다. 다른 일이 없는 프로세서 코어 두 개로 2분쯤 걸립니다.
# 가중치는 `training.weights.h5`에 저장합니다. 실행할 때마다 이 파일을 덮어쓰므로, 결과가 좋으면 복사해 두세요.
#
# **가속기에서.** 첫 셀이 케라스가 찾은 장치를 출력했습니다. 그 밖에 할 일은 없습니다. Colab에서는 *런타임*, *런타임 유형 변경*에서
# 고릅니다. 다른 백엔드(backend)를 쓰려면 첫 셀 위에 셀을 하나 만들어 다음 줄을 쓰고 커널을 다시 시작하세요.
#
# ```python
# %env KERAS_BACKEND=jax
# ```
#
# (`torch`도 됩니다.) 장치가 지원하고 여러분의 모델과 손실도 그 정밀도에서 동작하면, 계산은 bfloat16으로 하고 가중치는 float32로 둡니다(혼합
# 정밀도, mixed precision). 안 되는 까닭은 대개 float32인 표나 마스크가 bfloat16과 만나기 때문입니다. `ops.cast(table, x.dtype)`로
# 고칠 수 있습니다.

# %%
@demonstrate
def _demo():
    global _trained, _history, _test_numbers, _test_source, _test_target, _source, _target

    def computes_in(policy):
        """Say whether your model and your loss give a finite number under one of Keras's dtype policies."""
        # ko: """여러분의 모델과 손실이 케라스의 한 dtype 정책에서 유한한 수를 내는지 알려 줍니다."""
        keras.config.set_dtype_policy(policy)
        try:
            few_source, few_target = to_pairs([7, 320])
            reads, asked = teacher_forcing_pairs(few_target)
            logits = build_transformer(len(TOKENS), MAX_LEN, num_layers=1, d_model=8, num_heads=2, ff_dim=16)([few_source, reads])
            return bool(np.isfinite(float(to_numpy(ops.cast(masked_loss(asked, logits), "float32")))))
        except Exception as error:
            print(f"Not in {policy}: {type(error).__name__}.")
            # ko: print(f"{policy}에서는 안 됩니다: {type(error).__name__}.")
            return False
        finally:
            keras.config.set_dtype_policy("float32")

    _trained = _history = None
    if not BEING_GRADED:
        policy = precision if precision == "float32" or computes_in(precision) else "float32"
        print(f"Training on {accelerator} in {policy}.")
        # ko: print(f"{accelerator}에서 학습합니다(정밀도: {policy}).")
        numbers = draw_numbers(21_000, seed=2017)
        _source, _target = to_pairs(numbers)
        _test_numbers, _test_source, _test_target = numbers[20_000:], _source[20_000:], _target[20_000:]
        keras.config.set_dtype_policy(policy)
        Progress.latest = None
        try:
            _trained = train(_source[:20_000], _target[:20_000], len(TOKENS), MAX_LEN, seed=1)
        except Exception as error:
            if _is_stub(error):
                raise
            if {str(TARGET_LEN), str(TARGET_LEN - 1)} <= set(re.findall(r"\b\d+", str(error))):
                raise CheckFailed(
                    f"train: the decoder gets {TARGET_LEN} columns, but there are labels for {TARGET_LEN - 1}, or the other way round. "
                    # ko: f"train: 디코더가 {TARGET_LEN}열을 받는데 라벨은 {TARGET_LEN - 1}열이거나 그 반대입니다. "
                    f"Both come from `teacher_forcing_pairs(train_target)`.\n({type(error).__name__})"
                    # ko: f"둘 다 `teacher_forcing_pairs(train_target)`에서 나옵니다.\n({type(error).__name__})"
                ) from None
            given = [frame.f_locals.get("logits") for frame, _ in traceback.walk_tb(error.__traceback__)]
            if any(tuple(getattr(logits, "shape", ()))[1:2] == (SOURCE_LEN,) for logits in given):
                raise CheckFailed(
                    f"train: the logits have {SOURCE_LEN} columns, as many as the source, so the decoder read the source. "
                    # ko: f"train: 로짓이 소스처럼 {SOURCE_LEN}열입니다. 디코더가 소스를 읽었다는 뜻입니다. "
                    f"Are source and decoder input in this order, `[train_source, decoder_input]`?\n({type(error).__name__})"
                    # ko: f"`[train_source, decoder_input]`처럼 소스, 디코더 입력의 순서로 주었나요?\n({type(error).__name__})"
                ) from None
            for pattern, sentence in (
                (r"expects\s2\s(named\s)?input|argument\s'batch_size'", "the model takes two arrays in one list: `[train_source, decoder_input]`."),
                # ko: (r"expects\s2\s(named\s)?input|argument\s'batch_size'", "모델은 배열 두 개를 묶은 리스트 하나를 받습니다: `[train_source, decoder_input]`."),
                (r"interpret\s(loss|metric)\sid", "give `compile` the functions themselves, without quotes: `loss=masked_loss, metrics=[masked_accuracy]`."),
                # ko: (r"interpret\s(loss|metric)\sid", "`compile`에는 따옴표 없이 함수를 그대로 주세요: `loss=masked_loss, metrics=[masked_accuracy]`."),
                (r"different\sstructures", "`fit` takes the labels as one array, and `teacher_forcing_pairs` returns a pair: take it apart first."),
                # ko: (r"different\sstructures", "`fit`에는 라벨을 배열 하나로 주어야 하는데 `teacher_forcing_pairs`는 쌍을 돌려줍니다. 먼저 나누어 받으세요."),
                (r"must\scall\s`compile", "before `fit` the model has to be compiled, with an optimizer, your loss and your accuracy."),
                # ko: (r"must\scall\s`compile", "`fit`하기 전에 옵티마이저, 여러분의 손실과 정확도로 모델을 컴파일해야 합니다."),
                (r"Callback\.set_model\(\)\smissing", "`callbacks` takes callbacks, not their classes: write `Progress()`, with brackets."),
                # ko: (r"Callback\.set_model\(\)\smissing", "`callbacks`에는 클래스가 아니라 객체를 주어야 합니다. 괄호를 붙여 `Progress()`로 쓰세요."),
                (r"is\snot\sin\s\[0|index\sout\sof\srange\sin\sself", "an embedding's table has too few rows. Does `build_transformer` get `vocab_size` first, then `max_len`?"),
                # ko: (r"is\snot\sin\s\[0|index\sout\sof\srange\sin\sself", "임베딩 표의 행이 모자랍니다. `build_transformer`에 `vocab_size`, `max_len`의 순서로 주었나요?"),
            ):
                if re.search(pattern, str(error)):
                    raise CheckFailed(f"train: {sentence}\n({type(error).__name__})") from None
            raise CheckFailed(f"train: {_explained(error)}") from None
        finally:
            keras.config.set_dtype_policy("float32")
        _history = Progress.latest
        if isinstance(_trained, keras.callbacks.History):
            raise CheckFailed("train should return the model, not what `fit` returns.")
            # ko: raise CheckFailed("train은 `fit`이 돌려주는 것이 아니라 모델을 돌려주어야 합니다.")
        if isinstance(_trained, keras.Model):
            _trained.save_weights("training.weights.h5")

# %% grade="trained-model" points=5
@checking("train")
def _check(check):
    if BEING_GRADED:
        check.true(callable(train), "`train` is a function", "train is not a function.")
        # ko: check.true(callable(train), "`train`은 함수다", "train이 함수가 아닙니다.")
    else:
        check.true(
            _trained is not None,
            "there is a model",
            # ko: "모델이 있다",
            "there is no model. Are `train` and what it uses written, and did the cell above run without an error? Does `train` return the model?",
            # ko: "모델이 없습니다. `train`과 거기서 쓰는 것을 모두 작성했나요? 위의 셀을 오류 없이 실행했나요? `train`이 모델을 돌려주나요?",
        )
        check.true(isinstance(_trained, keras.Model), "it is a Keras model", "train should return the trained Keras model.")
        # ko: check.true(isinstance(_trained, keras.Model), "케라스 모델이다", "train은 학습된 케라스 모델을 돌려주어야 합니다.")
        said = to_numpy(greedy_decode(_trained, _test_source[:200], BOS, EOS, TARGET_LEN))
        exact = np.mean([to_text(row) == to_text(right) for row, right in zip(said, _test_target, strict=False)])
        curve = [loss for _, loss in _history.loss] if _history is not None else []
        went = f" The loss was {curve[0]:.2f} in the first update, {curve[-1]:.2f} in the last epoch." if curve else ""
        # ko: went = f" 손실은 첫 업데이트에서 {curve[0]:.2f}, 마지막 에폭에서 {curve[-1]:.2f}입니다." if curve else ""
        check.true(
            exact >= 0.5,
            f"{exact:.1%} of 200 held-out numbers are right",
            # ko: f"남겨 둔 수 200개 가운데 {exact:.1%}가 맞는다",
            f"only {exact:.1%} of 200 held-out numbers are right.{went} Did the loss fall at all? If not, look at the learning rate first "
            # ko: f"남겨 둔 수 200개 가운데 {exact:.1%}만 맞았습니다.{went} 손실이 조금이라도 내려갔나요? 내려가지 않았다면 먼저 학습률을 살펴보세요"
            "(does `CosineDecay` have a `warmup_target`?). Decode a few *training* pairs: if they are wrong too, look at the "
            # ko: "(`CosineDecay`에 `warmup_target`을 주었나요?). *학습에 쓴* 쌍을 몇 개 디코딩해 보세요. 그것도 틀리면 라벨, "
            "labels, the masks and the loss (4.0 to 5.2 at first); and does `greedy_decode` hand on all ids so far? If the "
            # ko: "마스크, 손실(처음에는 4.0~5.2)을 살펴보세요. `greedy_decode`가 지금까지의 ID를 모두 모델에 주는지도 보세요. 학습에 쓴 쌍이 "
            "training pairs are right, train longer.",
            # ko: "맞으면 더 오래 학습하세요.",
        )
_check

# %% [markdown]
# ### How it learnt
#
# Loss and accuracy of every update but the last of each epoch, whose batch is smaller. Both look at single words, with the right earlier words given.
#
# <!-- ko -->
# ### 어떻게 배웠는가
#
# 업데이트마다의 손실과 정확도입니다. 배치가 더 작은, 에폭의 마지막 업데이트는 뺐습니다. 둘 다 올바른 앞 단어를 주고 단어 하나하나를 본 것입니다.

# %%
@demonstrate
def _demo():
    if _trained is not None and _history is not None:
        curves = (
            ("loss", Progress.each(_history.loss)),
            # ko: ("손실 (loss)", Progress.each(_history.loss)),
            ("accuracy", Progress.each(_history.accuracy)),
            # ko: ("정확도 (accuracy)", Progress.each(_history.accuracy)),
        )
        figure, axes = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
        for ax, (name, values) in zip(axes, curves, strict=True):
            smooth = np.convolve(values, np.ones(15) / 15, mode="valid")
            ax.plot(values, color="#d9c8a9", linewidth=0.8, label="one update")
            # ko: ax.plot(values, color="#d9c8a9", linewidth=0.8, label="업데이트마다 (one update)")
            ax.plot(np.arange(len(smooth)) + 7, smooth, color="#8a4b08", label="mean of 15")
            # ko: ax.plot(np.arange(len(smooth)) + 7, smooth, color="#8a4b08", label="15개의 평균 (mean)")
            ax.set(title=name, xlabel="update", yscale="log" if name == "loss" else "linear")
            # ko: ax.set(title=name, xlabel="업데이트 (update)", yscale="log" if name == "손실 (loss)" else "linear")
            ax.legend()
        plt.show()
    elif _trained is not None:
        print(_NO_CURVES)

# %% [markdown]
# > **Does this hold?** *"95 % of the words are right, so it is nearly done."* `Progress` has kept the weights of every epoch. The next cell asks them all for the same 200 held-out numbers:
# > how many *words* are right with the right earlier words given, and how many *whole numbers* when the model writes by itself (exact match)? Guess: where 95 % of the words are right, which share of the numbers is? Above the
# > picture it prints mistakes of the half-trained model. (Some seconds, up to half a minute.)
#
# <!-- ko -->
# > **정말 그럴까?** *"단어의 95%가 맞으니 거의 다 되었다."* `Progress`가 에폭마다 가중치를 남겨 두었습니다. 다음 셀은 그 가중치마다 학습에 쓰지 않은 똑같은 수 200개로 시험합니다. 올바른 앞 단어를 줄 때
# > *단어*를 얼마나 맞히고, 모델이 스스로 쓸 때 *수 전체*를 얼마나 맞힐까요(완전 일치)? 단어의 95%를 맞힐 때 수는 몇 %를 맞힐지 짐작해 보세요. 그림 위쪽에는 반쯤 학습한 모델이 틀린 예를 출력합니다. (몇 초, 길면 30초쯤 걸립니다.)

# %%
@demonstrate
def _demo():
    if not isinstance(_trained, keras.Model):
        return
    if _history is None or not _history.weights:
        print(_NO_CURVES)
        return
    last, source, target = _trained.get_weights(), _test_source[:200], _test_target[:200]
    reads, asked = target[:, :-1], target[:, 1:]
    words, exact, shown = [], [], False
    for epoch, weights in enumerate(_history.weights, start=1):
        _trained.set_weights(weights)
        given = to_numpy(_trained.predict_on_batch([source, reads])).argmax(axis=-1)
        words.append((given == asked)[asked != PAD].mean())
        said = to_numpy(greedy_decode(_trained, source, BOS, EOS, TARGET_LEN))
        is_right = np.array([to_text(row) == to_text(right) for row, right in zip(said, target, strict=True)])
        exact.append(is_right.mean())
        print(f"epoch {epoch}: {words[-1]:.1%} of the words, {exact[-1]:.1%} of the numbers")
        # ko: print(f"에폭 {epoch}: 단어의 {words[-1]:.1%}, 수의 {exact[-1]:.1%}")
        if not shown and words[-1] > 0.8:
            shown = True
            for row in np.flatnonzero(~is_right)[:6]:
                print(f"    {_test_numbers[row]:>15,d}  should be  {to_text(target[row])}")
                # ko: print(f"    {_test_numbers[row]:>15,d}  정답  {to_text(target[row])}")
                print(f"    {'':15s}  it wrote   {to_text(said[row])}")
                # ko: print(f"    {'':15s}  모델  {to_text(said[row])}")
    _trained.set_weights(last)
    figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
    ax.plot(range(1, len(words) + 1), words, "o-", color="#c9b48a", label="words right, right words given")
    # ko: ax.plot(range(1, len(words) + 1), words, "o-", color="#c9b48a", label="올바른 단어를 줄 때 맞힌 단어")
    ax.plot(range(1, len(exact) + 1), exact, "o-", color="#8a4b08", label="whole numbers right, its own words")
    # ko: ax.plot(range(1, len(exact) + 1), exact, "o-", color="#8a4b08", label="자기 단어에 이어 쓸 때 통째로 맞힌 수")
    ax.set(xlabel="epoch", ylabel="share that is right", ylim=(0, 1.05), xticks=range(1, len(words) + 1))
    # ko: ax.set(xlabel="에폭 (epoch)", ylabel="맞힌 비율 (share)", ylim=(0, 1.05), xticks=range(1, len(words) + 1))
    ax.legend(loc="lower right")
    plt.show()

# %% [markdown]
# > **What is right.** A number is right only if all of its words are: where 95 % of the words are right, about 60 % of the numbers of ten words would be ($0.95^{10} = 0.6$), if mistakes were
# > independent. Often several come together in one hard number, and then more numbers are right. And where the model reads its own words, one wrong word can mislead the words behind it. So read the mistakes, always: are they slips of single digits, does a group get lost, is it the place of *thousand* and *million*? That tells what the model hasn't
# > understood yet, and a share can't.
#
# Now the whole test, after the training.
#
# <!-- ko -->
# > **맞는 설명.** 수 하나를 맞히려면 그 단어를 모두 맞혀야 합니다. 단어의 95%가 맞을 때, 틀리는 일이 서로 독립이라면 열 단어짜리 수는 60%쯤만 맞을 것입니다($0.95^{10} = 0.6$). 틀린 단어는 어려운 수 하나에 여럿이 몰려 있을 때가 많고, 그러면 맞는 수는 더 많습니다. 그리고 모델이 자기가 쓴 단어를 읽을 때는 틀린 단어 하나가 뒤의 단어까지 잘못 이끌 수 있습니다. 그러니
# > 틀린 것은 늘 읽어 보세요. 숫자 하나를 잘못 쓴 것인지, 자릿수 묶음이 빠진 것인지, *thousand*와 *million*의 자리가 틀린 것인지 살펴보세요. 모델이 아직 무엇을 모르는지는 비율이 아니라 그것이 말해 줍니다.
#
# 이제 학습을 마친 모델의 전체 시험입니다.

# %%
@demonstrate
def _demo():
    if _trained is not None:
        said = to_numpy(greedy_decode(_trained, _test_source, BOS, EOS, TARGET_LEN))
        said = np.pad(said, ((0, 0), (0, TARGET_LEN - said.shape[1])))
        is_right = np.array([to_text(row) == to_text(right) for row, right in zip(said, _test_target, strict=True)])
        digit_count = np.array([len(str(number)) for number in _test_numbers])
        print(f"{is_right.mean():.1%} of {len(is_right)} held-out numbers are wholly right.")
        # ko: print(f"남겨 둔 수 {len(is_right)}개 가운데 {is_right.mean():.1%}가 완전히 맞았습니다.")
        for row in [*np.flatnonzero(~is_right)[:4], *np.flatnonzero(is_right)[:4]]:
            mark = "✓" if is_right[row] else "✗"
            print(f"{mark} {_test_numbers[row]:>15,d}  {to_text(_test_source[row])}  ->  {to_text(said[row])}")
        figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
        ax.bar(range(1, 13), [is_right[digit_count == n].mean() if (digit_count == n).any() else np.nan for n in range(1, 13)], color="#8a6d3b")
        ax.set(xlabel="digits", ylabel="share wholly right", title="held-out numbers (no bar: none of this length, or none right)")
        # ko: ax.set(xlabel="자릿수 (digits)", ylabel="완전히 맞은 비율 (share)", title="남겨 둔 수 (held-out), 막대가 없으면 그런 수가 없거나 하나도 못 맞힘")
        ax.set(ylim=(0, 1.05), xticks=range(1, 13))
        plt.show()

# %% [markdown]
# ### Where the decoder looks
#
# In each head of every cross-attention layer an English word distributes a weight of 1 over the Korean syllables. The next cell
# reads these weights off a trained model, if it is made of layers that can return them (`return_attention_scores=True`: Keras's
# layer and yours from notebook 03). *One hundred twenty thousand* has to look at 십, 이 and 만.
#
# <!-- ko -->
# ### 디코더는 어디를 보는가
#
# 교차 어텐션(cross-attention) 계층(layer)의 헤드마다 영어 단어는 가중치 1을 한국어 음절들에 나누어 줍니다. 다음 셀은 학습된
# 모델에서 이 가중치를 읽어 냅니다. 가중치를 돌려줄 수 있는 계층으로 만든 모델이라야 합니다(`return_attention_scores=True`: 케라스의
# 계층과 3번 노트북에서 만든 여러분의 계층). *One hundred twenty thousand*를 쓰려면 십, 이, 만을 보아야 합니다.

# %% locked="attention-maps"
def syllable_labels(ids):
    """Return labels for a row of source ids: Hangul with its romanisation, or the romanisation alone without a font."""
    # ko: """소스 ID 한 행의 이름표를 돌려줍니다. 한글과 로마자이고, 글꼴이 없으면 로마자뿐입니다."""
    syllables = [TOKENS[int(i)] for i in ids if i != PAD]
    if not HAS_HANGUL:
        return [ROMANISED[syllable] for syllable in syllables]
    return [f"{syllable}\n{ROMANISED[syllable]}" for syllable in syllables]


def all_layers(layer):
    """Return a layer and all layers inside it."""
    # ko: """계층과 그 안에 있는 모든 계층을 돌려줍니다."""
    inner = getattr(layer, "_flatten_layers", None)
    return list(inner()) if inner else [layer]


def cross_attention_maps(model, source_ids, target_ids):
    """
    Return the weights of every cross-attention: arrays (batch, num_heads, target_len, source_len), in order.
    # ko: 모든 교차 어텐션의 가중치를 차례로 돌려줍니다: 배열 (batch, num_heads, target_len, source_len).

    For the time of one call, every layer that can return its attention weights is made to, and they are kept.
    # ko: 한 번 호출하는 동안, 어텐션 가중치를 돌려줄 수 있는 모든 계층이 그것을 돌려주게 하고 모아 둡니다.
    """
    maps, replaced = [], []
    shape = (target_ids.shape[1], source_ids.shape[1])

    def listening(call):
        def listen(self, *args, **kwargs):
            wants = kwargs.pop("return_attention_scores", False)
            output, weights = call(self, *args, return_attention_scores=True, **kwargs)
            if tuple(weights.shape[-2:]) == shape:
                maps.append(to_numpy(weights).astype("float32"))
            return (output, weights) if wants else output

        return listen

    kinds = {type(layer) for layer in all_layers(model)}
    try:
        for kind in kinds:
            if "return_attention_scores" in kind.call.__code__.co_varnames and kind is not type(model):
                replaced.append((kind, kind.call))
                kind.call = listening(kind.call)
        model([source_ids, target_ids])
    finally:
        for kind, call in replaced:
            kind.call = call
    return maps


# %%
@demonstrate
def _demo():
    if _trained is not None:
        chosen_source, chosen_target = to_pairs([120_305])
        width = int((chosen_source != PAD).sum())
        chosen_source, chosen_target = chosen_source[:, :width], chosen_target[:, : int((chosen_target != PAD).sum())]
        reads, asked = (to_numpy(part) for part in teacher_forcing_pairs(chosen_target))
        maps = cross_attention_maps(_trained, chosen_source, reads)
        if maps:
            figure, axes = plt.subplots(len(maps), maps[0].shape[1], figsize=(14, 3.4 * len(maps)), layout="constrained", squeeze=False)
            for (layer, head), ax in np.ndenumerate(axes):
                image = ax.imshow(maps[layer][0, head], cmap="YlOrBr", vmin=0, vmax=1, aspect="auto")
                ax.set_title(f"block {layer + 1}, head {head + 1}", fontsize=9)
                # ko: ax.set_title(f"블록 (block) {layer + 1}, 헤드 (head) {head + 1}", fontsize=9)
                ax.set_xticks(range(width), syllable_labels(chosen_source[0]), fontsize=8)
                ax.set_yticks(range(reads.shape[1]), [TOKENS[i] for i in asked[0]] if head == 0 else [], fontsize=8)
            axes[0, 0].set_ylabel("word to be written")
            # ko: axes[0, 0].set_ylabel("쓸 단어 (word)")
            figure.colorbar(image, ax=axes, label="attention weight", shrink=0.7)
            # ko: figure.colorbar(image, ax=axes, label="어텐션 가중치 (weight)", shrink=0.7)
            plt.show()
        else:
            print("None of this model's layers returns its attention weights.")
            # ko: print("이 모델에는 어텐션 가중치를 돌려주는 계층이 없습니다.")

# %% [markdown]
# > **Does this hold?** *"The map shows why the model says what it says."* Guess, and say why, before you unfold the answer.
# >
# > <details><summary>What is right</summary>
# >
# > Only in part. A syllable's position in the encoder has already attended to the other syllables: what is read at 만 is not
# > only 만. Some heads look at a syllable that has nothing to do with the word, because there is nothing to fetch. A map shows
# > where something was fetched, not what.
# >
# > </details>
#
# ### The paper's schedule and smoothed labels, at work
#
# You wrote `WarmupSchedule` and `label_smoothing`, and the recipe of task 6 uses neither. Here are three short trainings that do: 5000 numbers of at most 8 English words, 6 epochs, 240 updates. The first has
# a warm-up of 120 updates, the second the paper's 4000, the third is the first with a smoothing of 0.1.
#
# > **Does this hold?** *"With smoothed labels the loss ends much higher than without, so the third model is worse than the first."* Guess for each of the three: the loss at the end, the share of held-out
# > numbers wholly right, and how sure the model is of its words. (About a minute on two processor cores that have nothing else to do.)
#
# <!-- ko -->
# > **정말 그럴까?** *"이 그림을 보면 모델이 왜 그렇게 말하는지 알 수 있다."* 답을 펼치기 전에 그렇게 생각하는 까닭까지 적어 보세요.
# >
# > <details><summary>맞는 설명</summary>
# >
# > 일부만 맞습니다. 인코더(encoder)를 거친 음절의 벡터에는 다른 음절들의 정보가 이미 섞여 있습니다. 그래서 만의 자리에서 읽는 것은
# > 만 하나에 그치지 않습니다. 어떤 헤드는 가져올 것이 없어서 단어와 아무 상관 없는 음절을 봅니다. 그림은 어디에서 가져왔는지를
# > 보여 줄 뿐 무엇을 가져왔는지는 보여 주지 않습니다.
# >
# > </details>
#
# ### 논문의 스케줄과 스무딩한 라벨, 직접 써 보기
#
# `WarmupSchedule`과 `label_smoothing`을 작성했지만 과제 6의 방법은 둘 다 쓰지 않습니다. 여기서는 짧은 학습 세 번에 써 봅니다. 영어로 여덟 단어 이하인 수 5000개, 6에폭, 업데이트 240번입니다. 첫째는 웜업이 120번, 둘째는 논문대로
# 4000번, 셋째는 첫째에 스무딩 0.1을 더한 것입니다.
#
# > **정말 그럴까?** *"라벨을 스무딩하면 손실이 훨씬 높은 곳에서 끝나니 셋째 모델이 첫째보다 나쁘다."* 셋 모두에 대해 짐작해 보세요. 마지막 손실, 학습에 쓰지 않은 수를 통째로 맞힌 비율, 그리고 모델이 자기 단어를
# > 얼마나 확신하는지. (다른 일이 없는 프로세서 코어 두 개로 1분쯤 걸립니다.)

# %%
@demonstrate
def _demo():
    if _trained is None:
        return
    short = np.flatnonzero((_target != PAD).sum(axis=1) <= 10)
    few, unseen = short[short < 20_000][:5000], short[short >= 20_000][:200]
    width, length = int((_source[few] != PAD).any(axis=0).sum()), int((_target[few] != PAD).any(axis=0).sum())
    trainings = {
        "warm-up 120": (120, 0.0),
        # ko: "웜업 120": (120, 0.0),
        "warm-up 4000": (4000, 0.0),
        # ko: "웜업 4000": (4000, 0.0),
        "warm-up 120, smoothing 0.1": (120, 0.1),
        # ko: "웜업 120, 스무딩 0.1": (120, 0.1),
    }
    source, (reads, asked) = _source[few, :width], (to_numpy(part) for part in teacher_forcing_pairs(_target[few, :length]))
    unseen_reads, unseen_asked = _target[unseen, : length - 1], _target[unseen, 1:length]
    for name, (warmup, smoothing) in trainings.items():
        keras.utils.set_random_seed(4)
        model = build_transformer(len(TOKENS), MAX_LEN, 2, 64, 4, 128, dropout=0.0)
        model.compile(
            keras.optimizers.Adam(WarmupSchedule(64, warmup), beta_2=0.98, epsilon=1e-9),
            lambda labels, logits, smoothing=smoothing: masked_loss(labels, logits, label_smoothing=smoothing),
        )
        losses = []
        for epoch in range(6):
            try:
                losses += model.fit([source, reads], asked, batch_size=125, initial_epoch=epoch, epochs=epoch + 1, verbose=0).history["loss"]
            except Exception as error:
                if _is_stub(error):
                    raise
                raise CheckFailed(f"fit with your schedule: {_explained(error)}") from None
                # ko: raise CheckFailed(f"여러분의 스케줄로 한 fit: {_explained(error)}") from None
            print(f"\r{name}, epoch {epoch + 1}: loss {losses[-1]:.3f} ", end="", flush=True)
            # ko: print(f"\r{name}, 에폭 {epoch + 1}: 손실 {losses[-1]:.3f} ", end="", flush=True)
        said = to_numpy(greedy_decode(model, _source[unseen, :width], BOS, EOS, length))
        exact = np.mean([to_text(row) == to_text(right) for row, right in zip(said, _target[unseen], strict=True)])
        logits = to_numpy(model.predict_on_batch([_source[unseen, :width], unseen_reads])).astype("float64")
        sure = (1 / np.exp(logits - logits.max(axis=-1, keepdims=True)).sum(axis=-1))[unseen_asked != PAD].mean()
        print(f"\n   {exact:.1%} of the numbers wholly right; mean probability of its own choice {sure:.2f}")
        # ko: print(f"\n   통째로 맞힌 수 {exact:.1%}, 스스로 고른 단어의 평균 확률 {sure:.2f}")

# %% [markdown]
# > **What is right.** It doesn't hold. The losses can't be compared: with $\varepsilon = 0.1$ and 49 tokens no model gets below 0.70, the entropy of the smoothed target. What counts are the numbers that come out right:
# > after so few updates whether the first or the third has more of them depends on the model and the seed. What has changed for sure is the certainty: the target says 0.902 and not 1, so the model is less sure of its words. That is what smoothing is for; in the paper it cost a little of the loss
# > and won a little in translation. And with a warm-up of 4000 the rate stays too low during all 240 updates to get whole numbers right.
#
# ## What training doesn't show
#
# You watched the loss and the accuracy *with the right earlier words given*. Here are mistakes that we put into the model or
# the training on purpose. Each row is one run, trained as above, but only for 6 epochs; the share of held-out
# numbers that are wholly right:
#
# | mistake | right words given | its own words | what finds it |
# |---|---|---|---|
# | none | 1.000 | 1.000 | |
# | no look-ahead mask | 1.000 | **0.000** | decoding; the leak test of notebook 04 |
# | look-ahead mask upside down | 1.000 | **0.000** | decoding; the leak test |
# | mask lets one later step through | 1.000 | **0.740** | decoding; the leak test |
# | target not shifted | 1.000 (by its own, unshifted labels) | **0.000** | decoding |
# | no positions | 0.065 | 0.065 | everything |
# | padding mask upside down | 0.000 | 0.000 | everything |
# | no padding mask | 1.000 | 1.000, **0.867** if padded further | padding the source further |
# | no feed-forward layer in the decoder | 0.999 | 0.999 | counting parameters, comparing values |
# | scores not scaled, or divided by the root of d_model | 0.999 | 0.999 | comparing values |
# | loss counts the padding | 1.000 | 1.000 | comparing values |
#
# Look at the column "right words given", which is like training. With eight of the ten mistakes it stays at 0.999 or more. Three of those
# eight models can't translate a single number, one gets one number in four wrong, and the other four are right only because the task is
# easy. So test the parts, as you did in all these notebooks, and let the model speak before
# you believe it.
#
# The next cell repeats the rows that live in *this* notebook, with your functions. It trains with your own `train`,
# so the numbers differ a little. Set the switch to `True`: it takes about three times as long as the training above.
#
# <!-- ko -->
# > **맞는 설명.** 그렇지 않습니다. 손실끼리는 비교할 수 없습니다. $\varepsilon = 0.1$이고 토큰이 49개이면 어떤 모델도 스무딩한 목표의 엔트로피인 0.70 아래로 내려갈 수 없습니다. 중요한 것은 맞힌 수의 비율입니다. 업데이트가
# > 이렇게 적을 때는 모델과 시드에 따라 스무딩이 있는 쪽이 높기도 하고 없는 쪽이 높기도 합니다. 확실히 달라진 것은 확신입니다. 목표가 1이 아니라 0.902이므로 모델은 자기 단어를 덜 확신합니다. 스무딩은 바로 그러라고 있는 것입니다. 논문에서는 손실이 조금 나빠진 대신 번역이 조금 좋아졌습니다. 그리고 웜업이 4000이면
# > 업데이트 240번이 끝나도록 학습률이 수를 통째로 맞힐 만큼 배우기에는 너무 낮습니다.
#
# ## 학습 중에는 보이지 않는 것
#
# 지금까지 본 손실과 정확도는 *올바른 앞 단어를 준 상태에서* 쟀습니다. 아래는 우리가 모델이나 학습에 일부러 넣어 본 잘못입니다.
# 행마다 위와 같은 방법으로, 다만 6에폭만, 한 번씩 학습했습니다. 표의 값은 남겨 둔 수 가운데 완전히 맞은 비율입니다.
#
# | 잘못 | 올바른 단어를 줄 때 | 자기 단어를 쓸 때 | 알아내는 방법 |
# |---|---|---|---|
# | 없음 | 1.000 | 1.000 | |
# | 룩어헤드 마스크가 없음 | 1.000 | **0.000** | 디코딩, 4번 노트북의 누수 검사 |
# | 룩어헤드 마스크가 뒤집힘 | 1.000 | **0.000** | 디코딩, 누수 검사 |
# | 마스크가 한 칸 뒤까지 보여 줌 | 1.000 | **0.740** | 디코딩, 누수 검사 |
# | 밀지 않은 타깃 | 1.000 (밀지 않은 자기 라벨로 볼 때) | **0.000** | 디코딩 |
# | 위치가 없음 | 0.065 | 0.065 | 모든 방법 |
# | 패딩 마스크(padding mask)가 뒤집힘 | 0.000 | 0.000 | 모든 방법 |
# | 패딩 마스크가 없음 | 1.000 | 1.000, 패딩을 더 붙이면 **0.867** | 소스에 패딩을 더 붙이기 |
# | 디코더에 피드포워드 신경망(feed-forward network)이 없음 | 0.999 | 0.999 | 파라미터 수 세기, 값 비교 |
# | 점수(score)를 나누지 않음, 또는 d_model의 제곱근으로 나눔 | 0.999 | 0.999 | 값 비교 |
# | 패딩까지 세는 손실 | 1.000 | 1.000 | 값 비교 |
#
# 학습할 때와 같은 "올바른 단어를 줄 때" 열을 보세요. 잘못 10가지 가운데 8가지에서 이 값이 0.999 이상입니다. 그 여덟 모델 가운데 셋은 수를 하나도
# 번역하지 못하고, 하나는 수를 넷에 하나꼴로 틀립니다. 나머지 넷이 맞는 것은 과제가 쉽기 때문일 뿐입니다. 그러니
# 지금까지의 모든 노트북에서처럼 부분마다 검사하고, 모델을 믿기 전에 스스로 말하게 해 보세요.
#
# 다음 셀은 *이* 노트북의 코드에서 생기는 잘못의 행들을 여러분의 함수로 다시 해 봅니다. 여러분의 `train`으로 다시 학습하므로 값은 조금
# 다를 수 있습니다. 스위치를 `True`로 바꾸세요. 위의 학습보다 세 배쯤 오래 걸립니다.

# %%
@demonstrate
def _demo():
    from unittest.mock import patch

    RERUN = False  # True: train with each mistake again
    # ko: RERUN = False  # True: 잘못마다 다시 학습합니다

    def shares_right(model, _source, _target):
        """Return the shares of rows that are wholly right with the right words given, and on the model's own words."""
        # ko: """완전히 맞은 행의 비율을 올바른 단어를 주었을 때와 모델이 자기 단어를 썼을 때에 대해 돌려줍니다."""
        reads, asked = _target[:, :-1], _target[:, 1:]
        given = to_numpy(model([_source, reads])).argmax(axis=-1)
        said = to_numpy(greedy_decode(model, _source, BOS, EOS, _target.shape[1]))
        said = np.pad(said, ((0, 0), (0, _target.shape[1] - said.shape[1])))
        return ((given == asked) | (asked == PAD)).all(axis=1).mean(), (said == _target).all(axis=1).mean()

    if RERUN and not BEING_GRADED:
        right_loss = masked_loss
        for mistake in ("none", "target not shifted", "loss counts the padding"):
        # ko: for mistake in ("없음", "밀지 않은 타깃", "패딩까지 세는 손실"):
            instead = {}  # what `train` uses in place of your functions
            # ko: instead = {}  # `train`이 여러분의 함수 대신 쓸 것
            if mistake == "target not shifted":
            # ko: if mistake == "밀지 않은 타깃":
                instead["teacher_forcing_pairs"] = lambda ids: (ids[:, :-1], ids[:, :-1])
            if mistake == "loss counts the padding":
            # ko: if mistake == "패딩까지 세는 손실":
                instead["masked_loss"] = lambda labels, logits, label_smoothing=0.0, pad_id=0: right_loss(labels, logits, label_smoothing, -1)
            with patch.dict(train.__globals__, instead):
                wrong = train(_source[:20_000], _target[:20_000], len(TOKENS), MAX_LEN, seed=2)
            if all(map(np.array_equal, wrong.get_weights(), _trained.get_weights())):
                print("`train` loads its weights and trains nothing. Take that line out as long as you try this.")
                # ko: print("`train`이 가중치를 불러올 뿐 학습하지 않습니다. 이것을 해 보는 동안에는 그 줄을 빼세요.")
                break
            given, own = shares_right(wrong, _test_source, _test_target)
            if mistake == "target not shifted":
            # ko: if mistake == "밀지 않은 타깃":
                reads = to_numpy(wrong([_test_source, _test_target[:, :-1]])).argmax(axis=-1)
                kept = _test_target[:, :-1] != PAD
                given = ((reads == _test_target[:, :-1]) | ~kept).all(axis=1).mean()  # it is right by its own labels
                # ko: given = ((reads == _test_target[:, :-1]) | ~kept).all(axis=1).mean()  # 이 학습의 라벨로 보면 맞습니다
            print(f"{mistake:26s} right words given {given:.3f}, its own words {own:.3f}")
            # ko: print(f"{mistake:26s} 올바른 단어를 줄 때 {given:.3f}, 자기 단어를 쓸 때 {own:.3f}")

# %% [markdown]
# One row can be seen without another training: does *your* model mind when the source is padded further? With a padding mask the
# logits stay the same.
#
# <!-- ko -->
# 학습을 새로 하지 않고도 볼 수 있는 행이 하나 있습니다. *여러분의* 모델은 소스에 패딩을 더 붙여도 괜찮을까요? 패딩 마스크가 있으면
# 로짓은 그대로입니다.

# %%
@demonstrate
def _demo():
    if _trained is not None:
        further = np.pad(_test_source[:50], ((0, 0), (0, MAX_LEN - _test_source.shape[1])))
        reads = _test_target[:50, :-1]
        moved = np.abs(to_numpy(_trained([further, reads])).astype("float32") - to_numpy(_trained([_test_source[:50], reads])).astype("float32"))
        print(f"one more column of padding moves the logits by at most {moved.max():.1e}")
        # ko: print(f"패딩을 한 열 더 붙일 때 로짓은 많아야 {moved.max():.1e}만큼 움직입니다")

# %% [markdown]
# ## ★ Beam search (optional, no points)
#
# *Difficulty 4 of 5, about 60 minutes.*
#
# Greedy decoding takes the likeliest word and never looks back, even where that leads to a place in which nothing is likely any more. The paper decodes with a **beam**
# (section 6.1): it keeps the `beams` best texts, finished or not, by the *sum* of their log-probabilities, lets each go on with every word, and keeps the best `beams` of what comes out. A text that has said EOS
# is finished and keeps its sum. Texts that reach `max_len` ids end there, without EOS. The best of
# all that have ended wins. (The paper also divides the sums by a power of the length, so that long texts aren't at a disadvantage. That is left out here.)
#
# Write it for one source, and let the folded cell below compare it with greedy decoding and with a search through *all* texts of a made-up model. Then try it on your trained one: does a
# model that is right and sure need it?
#
# <details><summary>Hint 1: What do you keep?</summary>
#
# A list of pairs: the ids so far, and their sum. At the start it is BOS alone with the sum 0. Log-probabilities come from `ops.log_softmax`.
#
# </details>
#
# <details><summary>Hint 2: What of finished texts?</summary>
#
# They compete with the others for their place, but aren't continued. Stop when all that you keep are finished or long enough.
#
# </details>
#
# <!-- ko -->
# ## ★ 빔 서치 (선택, 점수 없음)
#
# *난이도 4/5, 60분쯤.*
#
# 탐욕 디코딩(greedy decoding)은 가장 그럴듯한 단어를 고르고 뒤돌아보지 않습니다. 그 뒤에 그럴듯한 것이 하나도 없는 곳으로 가더라도 그렇습니다. 논문은 **빔**(beam)으로 디코딩합니다(6.1절). 로그 확률의
# *합*이 가장 큰 후보 `beams`개를 끝났든 아니든 남기고, 저마다 모든 단어로 이어 보고, 그 가운데 다시 가장 좋은 `beams`개를 남깁니다. EOS를 말한 후보는 끝난 것이고 합이 그대로 남습니다. ID가 `max_len`개에 이른 후보는 EOS 없이 거기서
# 끝납니다. 끝난 후보를 모두 견주어 가장 좋은 것이 답입니다. (논문은 긴 후보가 불리하지 않도록 합을 길이의 거듭제곱으로 나누기도 합니다. 여기서는 나누지 않습니다.)
#
# 소스 하나에 대해 작성하고, 접힌 셀에서 탐욕 디코딩의 결과와도, 가짜 모델의 *모든* 후보를 뒤진 결과와도 비교해 보세요. 그런 다음 학습한 모델에도 써 보세요. 맞고 확신하는 모델에도 빔이 필요할까요?
#
# <details><summary>힌트 1: 무엇을 남길까요?</summary>
#
# 지금까지의 ID와 그 합, 이 쌍의 목록입니다. 처음에는 BOS 하나와 합 0입니다. 로그 확률은 `ops.log_softmax`로 구합니다.
#
# </details>
#
# <details><summary>힌트 2: 끝난 후보는 어떻게 할까요?</summary>
#
# 다른 후보들과 자리를 다투지만 더 이어 가지는 않습니다. 남긴 후보가 모두 끝났거나 충분히 길면 멈춥니다.
#
# </details>


# %%
def _beam_decode(model, source_ids, bos_id, eos_id, max_len, beams):
    """Search with a beam for one source (1, source_len): the ids, a list from BOS to EOS, and the sum of their log-probabilities."""
    # ko: """소스 하나 (1, source_len)에 대해 빔으로 찾습니다: BOS부터 EOS까지의 ID 리스트와 그 로그 확률의 합."""
    raise NotImplementedError()

# %% folded=true
@demonstrate
def _demo():
    from itertools import product

    def chain(table):
        """A model in which the next word depends on the last one only: table[last] are its probabilities."""
        # ko: """다음 단어가 바로 앞 단어만으로 정해지는 모델. table[앞 단어]가 그 확률입니다."""
        logits = np.log(table) - np.arange(1, len(table) + 1)[:, None]  # taking one number off a whole row doesn't change its softmax
        # ko: logits = np.log(table) - np.arange(1, len(table) + 1)[:, None]  # 한 행의 모든 값에서 같은 수를 빼도 소프트맥스는 그대로입니다
        return lambda inputs, training=None: ops.convert_to_tensor(logits[to_numpy(inputs[1]).astype(int)].astype("float32"))

    def best_of_all(table, max_len):
        texts = [[BOS, *words, EOS] for count in range(max_len - 1) for words in product(range(3, len(table)), repeat=count)]
        texts += [[BOS, *words] for words in product(range(3, len(table)), repeat=max_len - 1)]
        texts = [text for text in texts if len(text) <= max_len]
        return max((sum(np.log(table[a, b]) for a, b in zip(text[:-1], text[1:], strict=True)), text) for text in texts)

    trap = np.full((6, 6), 1e-6)
    trap[BOS, [3, 4]], trap[3, [EOS, 4, 5]], trap[4, EOS], trap[5, EOS] = (0.55, 0.45), (0.4, 0.3, 0.3), 1, 1
    trap /= trap.sum(axis=1, keepdims=True)
    source, rng = np.array([[5]]), np.random.default_rng(14)
    found, total = _beam_decode(chain(trap), source, BOS, EOS, 6, 2)
    greedy = [int(i) for i in to_numpy(greedy_decode(chain(trap), source, BOS, EOS, 6))[0] if i != PAD]
    one = [int(i) for i in _beam_decode(chain(trap), source, BOS, EOS, 6, 1)[0]]
    examinations = {
        "with one beam it is greedy decoding": one == greedy,
        # ko: "빔이 하나면 탐욕 디코딩과 같다": one == greedy,
        "with two it finds the better text, which begins with the less likely word": [int(i) for i in found] == [BOS, 4, EOS],
        # ko: "빔이 둘이면 덜 그럴듯한 단어로 시작하는 더 좋은 후보를 찾는다": [int(i) for i in found] == [BOS, 4, EOS],
        "the sum of its log-probabilities": abs(total - np.log(trap[BOS, 4] * trap[4, EOS])) < 1e-4,
        # ko: "로그 확률의 합": abs(total - np.log(trap[BOS, 4] * trap[4, EOS])) < 1e-4,
    }
    agree = 0
    for _ in range(5):
        table = rng.dirichlet(np.ones(6) / 2, size=6) + 1e-9
        table[:, [PAD, BOS]] = 1e-12
        table /= table.sum(axis=1, keepdims=True)
        right, text = best_of_all(table, 5)
        found, total = _beam_decode(chain(table), source, BOS, EOS, 5, 300)
        agree += [int(i) for i in found] == text and abs(total - right) < 1e-3
    examinations["with 300 beams it finds the best of all texts, in five models"] = agree == 5
    # ko: examinations["빔이 300개면 다섯 모델에서 모든 후보 가운데 가장 좋은 것을 찾는다"] = agree == 5
    for words, holds in examinations.items():
        print("✓" if holds else "✗", words)

# %% [markdown]
# ## What you have now
#
# A Transformer of your own, which reads Korean numbers and writes English words, and the tools to see whether it can:
#
# - a learning rate that warms up and comes down, with the warm-up a share of the training;
# - labels one step ahead of the input, a loss and an accuracy that leave the padding out;
# - a decoder that lives on its own words, which is the only test that counts in the end;
# - a healthy distrust of curves.
#
# **References.** Vaswani et al. 2017, *Attention Is All You Need*, sections 5.3, 5.4 and 6.1. Szegedy et al. 2016, *Rethinking the
# Inception Architecture for Computer Vision*, section 7 (label smoothing). Williams and Zipser 1989, *A Learning Algorithm for
# Continually Running Fully Recurrent Neural Networks* (teacher forcing). Loshchilov and Hutter 2017, *SGDR* (the cosine).
#
# <!-- ko -->
# ## 지금 가진 것
#
# 한글로 적은 수를 한 음절씩 읽어 영어 단어로 옮기는 여러분만의 트랜스포머가 있습니다. 모델이 정말로 해내는지 확인하는 도구도 있습니다.
#
# - 웜업으로 올랐다가 내려오는 학습률. 웜업은 학습의 일정한 비율입니다.
# - 입력보다 한 걸음 앞선 라벨, 그리고 패딩을 뺀 손실과 정확도.
# - 자기가 쓴 단어로 이어 가는 디코더. 결국 중요한 시험은 이것뿐입니다.
# - 곡선을 쉽게 믿지 않는 건전한 의심.
#
# **참고 문헌.** Vaswani et al. 2017, *Attention Is All You Need*, 5.3절, 5.4절, 6.1절. Szegedy et al. 2016, *Rethinking the
# Inception Architecture for Computer Vision*, 7절(라벨 스무딩). Williams and Zipser 1989, *A Learning Algorithm for
# Continually Running Fully Recurrent Neural Networks*(교사 강요). Loshchilov and Hutter 2017, *SGDR*(코사인).
