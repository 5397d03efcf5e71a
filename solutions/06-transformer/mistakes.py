"""Known wrong answers of `06-transformer`: each is a right cell with one edit."""

from __future__ import annotations

from autograder.mistakes import Mistake
from autograder.text import Text

__all__ = ["MISTAKES"]

EMBEDDING = """
class TokenEmbedding(keras.layers.Layer):
    def __init__(self, vocab_size, d_model, max_len, dropout=0.1, **kwargs):
        super().__init__(**kwargs)
        self.vocab_size, self.d_model, self.max_len, self.rate = vocab_size, d_model, max_len, dropout
        self.embedding = keras.layers.Embedding(vocab_size, d_model)
        self.positions = PositionalEncoding(max_len, d_model)
        self.dropout = keras.layers.Dropout(dropout)

    def call(self, token_ids, training=None):
        x = self.embedding(token_ids)
        x = x * self.d_model**0.5
        x = self.positions(x)
        return self.dropout(x, training=training)

    def get_config(self):
        config = super().get_config()
        config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len, dropout=self.rate)
        return config
"""

CONTINUOUS = """
def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    source = keras.Input((timesteps, dim))
    target = keras.Input((None, dim))
    mask = keras.layers.Lambda(lambda x: create_look_ahead_mask(ops.shape(x)[1]))(target)
    positions = PositionalEncoding(256, dim)
    x = positions(source)
    after_blocks = [x]
    for _ in range(num_encoder_blocks):
        x = EncoderBlock(dim, num_heads, ff_dim, dropout)(x)
        after_blocks.append(x)
    memory = x
    x = positions(target)
    for _ in range(num_decoder_blocks):
        x = DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)
    output = keras.layers.Dense(dim)(x)
    return keras.Model([source, target], output)
"""

# written out with layers of Keras, in the lecture's way
LECTURE = """
def residual(x, y, dropout):
    return keras.layers.Add()([x, keras.layers.Dropout(dropout)(y)])


def normed(x):
    return keras.layers.LayerNormalization(epsilon=1e-6)(x)


def feed_forward(x, ff_dim, dim):
    return keras.layers.Dense(dim)(keras.layers.Dense(ff_dim, activation="relu")(x))


def encoder(x, num_heads, key_dim, ff_dim, dropout):
    y = normed(x)
    y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y)
    res = residual(x, y, dropout)
    y = feed_forward(normed(res), ff_dim, x.shape[-1])
    return residual(res, y, dropout)


def decoder(x, memory, num_heads, key_dim, ff_dim, dropout):
    y = normed(x)
    y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(y, y, use_causal_mask=True)
    res = residual(x, y, dropout)
    y = keras.layers.MultiHeadAttention(num_heads=num_heads, key_dim=key_dim)(normed(res), memory)
    res = residual(res, y, dropout)
    y = feed_forward(normed(res), ff_dim, x.shape[-1])
    return residual(res, y, dropout)


def build_continuous_transformer(timesteps, dim, num_heads, ff_dim, num_encoder_blocks, num_decoder_blocks, dropout=0.1):
    source = keras.Input((timesteps, dim))
    target = keras.Input((None, dim))
    x = source
    for _ in range(num_encoder_blocks):
        x = encoder(x, num_heads, dim // num_heads, ff_dim, dropout)
    memory = x
    x = target
    for _ in range(num_decoder_blocks):
        x = decoder(x, memory, num_heads, dim // num_heads, ff_dim, dropout)
    return keras.Model([source, target], keras.layers.Dense(dim)(x))
"""

TOKENS = """
class Tied(keras.layers.Layer):
    def __init__(self, table, **kwargs):
        super().__init__(**kwargs)
        self.table = table

    def call(self, x):
        return ops.matmul(x, ops.transpose(self.table.embeddings))


def build_transformer(
    vocab_size, max_len, num_layers, d_model, num_heads, ff_dim, dropout=0.1, norm_first=True, tie_weights=False
):
    source_ids = keras.Input((None,), dtype="int32")
    target_ids = keras.Input((None,), dtype="int32")
    source_mask = keras.layers.Lambda(create_padding_mask)(source_ids)
    target_mask = keras.layers.Lambda(create_decoder_mask)(target_ids)
    embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)
    embed_target = embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)
    x = embed_source(source_ids)
    for _ in range(num_layers):
        x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)
    if norm_first:
        x = keras.layers.LayerNormalization(epsilon=1e-6)(x)
    memory = x
    x = embed_target(target_ids)
    for i in range(num_layers):
        block = DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)
        x = block(x, memory, self_mask=target_mask, memory_mask=source_mask)
    if norm_first:
        x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)
    if tie_weights:
        logits = Tied(embed_target.embedding)(x)
    else:
        logits = keras.layers.Dense(vocab_size)(x)
    return keras.Model([source_ids, target_ids], logits)
"""

COUNT = """
def transformer_parameter_count(vocab_size, num_layers, d_model, num_heads, ff_dim, tie_weights=False):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = (d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)
    norm = 2 * d_model
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    table = vocab_size * d_model
    if tie_weights:
        vocabulary = table
    else:
        vocabulary = 2 * table + (table + vocab_size)
    return num_layers * (encoder + decoder) + 2 * norm + vocabulary
"""


def _with(code: str, *edits: tuple[str, str]) -> str:
    """Return `code` with each text replaced, which must occur exactly once."""
    for right, wrong in edits:
        if code.count(right) != 1:
            raise ValueError(f"The text must occur once. Received: {right!r}, {code.count(right)} times.")
        code = code.replace(right, wrong)
    return code.strip() + "\n"


def _mistake(id: str, task: str, hint: Text, fails: set[str], right: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, hint, _with(right, *edits), frozenset(fails))


SCALE = "        x = x * self.d_model**0.5\n"
ADD = "        x = self.positions(x)\n"
DROP = "        return self.dropout(x, training=training)"

_EMBEDDING_MISTAKES = (
    _mistake(
        "embedding-concatenated",
        "token-embedding",
        Text(
            "The positions are added to the embedding, feature by feature, not put beside it: the width stays d_model.",
            "위치는 임베딩 옆에 붙이는 것이 아니라 특징마다 더합니다. 너비는 d_model 그대로입니다.",
        ),
        {"embedding-builds"},
        EMBEDDING,
        (ADD, "        x = ops.concatenate([x, self.positions(0 * x)], axis=-1)\n"),
    ),
    _mistake(
        "embedding-unscaled",
        "token-embedding",
        Text(
            "The embedding isn't multiplied by the square root of d_model (section 3.4 of the paper).",
            "임베딩에 d_model의 제곱근을 곱하지 않았습니다(논문 3.4절).",
        ),
        {"embedding-scale"},
        EMBEDDING,
        (SCALE, ""),
    ),
    _mistake(
        "embedding-scaled-by-d-model",
        "token-embedding",
        Text(
            "The embedding is multiplied by d_model; the factor is its square root.",
            "임베딩에 d_model을 곱했습니다. 곱할 것은 그 제곱근입니다.",
        ),
        {"embedding-scale"},
        EMBEDDING,
        ("self.d_model**0.5", "self.d_model"),
    ),
    _mistake(
        "embedding-divided",
        "token-embedding",
        Text(
            "The embedding is divided by the square root of d_model. Dividing is for attention scores; here you multiply.",
            "임베딩을 d_model의 제곱근으로 나누었습니다. 나누는 것은 어텐션 점수이고, 여기서는 곱합니다.",
        ),
        {"embedding-scale"},
        EMBEDDING,
        ("x * self.d_model**0.5", "x / self.d_model**0.5"),
    ),
    _mistake(
        "embedding-scaled-afterwards",
        "token-embedding",
        Text(
            "The positions are multiplied as well: multiply the embedding first, then add the positions.",
            "위치에도 곱했습니다. 먼저 임베딩에 곱하고 그다음에 위치를 더하세요.",
        ),
        {"embedding-positions"},
        EMBEDDING,
        (SCALE + ADD, ADD + SCALE),
    ),
    _mistake(
        "embedding-without-positions",
        "token-embedding",
        Text(
            "No positions are added: the same token gets the same vector everywhere, and attention can't tell order.",
            "위치를 더하지 않았습니다. 같은 토큰이 어디서나 같은 벡터가 되어 어텐션이 순서를 알 수 없습니다.",
        ),
        {"embedding-positions"},
        EMBEDDING,
        (ADD, ""),
    ),
    _mistake(
        "embedding-positions-from-1",
        "token-embedding",
        Text(
            "The positions begin at 1. The first token gets row 0 of the table.",
            "위치가 1에서 시작합니다. 첫 토큰은 표의 0번 행을 받습니다.",
        ),
        {"embedding-positions"},
        EMBEDDING,
        ("PositionalEncoding(max_len, d_model)", "PositionalEncoding(max_len + 1, d_model)"),
        (ADD, "        x = x + self.positions(ops.pad(0 * x, [[0, 0], [1, 0], [0, 0]]))[:, 1:]\n"),
    ),
    _mistake(
        "embedding-positions-in-halves",
        "token-embedding",
        Text(
            "All sines stand in the first half of the features and all cosines in the second. In this course, as in the paper, they "
            "alternate: sine in the even columns, cosine in the odd ones.",
            "특징의 앞 절반에 사인, 뒤 절반에 코사인을 모았습니다. 이 과정에서는 논문처럼 번갈아 놓습니다. 짝수 열이 사인, 홀수 열이 코사인입니다.",
        ),
        {"embedding-positions"},
        EMBEDDING,
        (
            ADD,
            "        angles = np.arange(self.max_len)[:, None] / 10000 ** (np.arange(0, self.d_model, 2) / self.d_model)\n"
            "        table = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1).astype('float32')\n"
            "        x = x + ops.convert_to_tensor(table)[: ops.shape(x)[1]]\n",
        ),
    ),
    _mistake(
        "embedding-positions-not-cut",
        "token-embedding",
        Text(
            "The whole table of max_len rows is added: a shorter sequence needs the first seq_len rows only.",
            "max_len개 행인 표 전체를 더했습니다. 짧은 시퀀스에는 앞쪽 seq_len개 행만 더하세요.",
        ),
        {"embedding-positions"},
        EMBEDDING,
        (ADD, "        x = x + self.positions(ops.zeros((1, self.max_len, self.d_model)))\n"),
    ),
    _mistake(
        "embedding-learned-positions",
        "token-embedding",
        Text(
            "The positions are learned here, a second table of weights. Asked for are the sinusoidal ones, which have none.",
            "위치를 학습하는 둘째 가중치 표로 만들었습니다. 여기서 쓸 것은 사인과 코사인의 위치 인코딩이고, 거기에는 가중치가 없습니다.",
        ),
        {"embedding-table", "embedding-positions"},
        EMBEDDING,
        ("PositionalEncoding(max_len, d_model)", "keras.layers.Embedding(max_len, d_model)"),
        (ADD, "        x = x + self.positions(ops.arange(ops.shape(token_ids)[1]))\n"),
    ),
    _mistake(
        "embedding-frozen-table",
        "token-embedding",
        Text(
            "The table isn't trainable: then no token ever learns what it means.",
            "표가 학습되지 않습니다. 그러면 어느 토큰도 자기 뜻을 배우지 못합니다.",
        ),
        {"embedding-table", "embedding-scale", "embedding-positions", "embedding-dropout"},
        EMBEDDING,
        ("Embedding(vocab_size, d_model)", "Embedding(vocab_size, d_model, trainable=False)"),
    ),
    _mistake(
        "embedding-no-dropout",
        "token-embedding",
        Text(
            "The sum isn't dropped in training (section 5.4 of the paper).",
            "학습 때 합에 드롭아웃이 일어나지 않습니다(논문 5.4절).",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        (DROP, "        return x"),
    ),
    _mistake(
        "embedding-dropout-always",
        "token-embedding",
        Text(
            "It drops outside training too. Let Keras pass `training` on, or pass on what `call` gets.",
            "학습 때가 아닌데도 드롭아웃이 일어납니다. `training`은 케라스가 전하게 두거나, `call`이 받은 것을 그대로 전하세요.",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        (DROP, "        return self.dropout(x, training=True)"),
    ),
    _mistake(
        "embedding-dropout-before-positions",
        "token-embedding",
        Text(
            "Dropout comes before the positions are added. It belongs on the sum of both.",
            "위치를 더하기 전에 드롭아웃을 했습니다. 드롭아웃은 둘의 합에 합니다.",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        (ADD + DROP, "        return self.positions(self.dropout(x, training=training))"),
    ),
    _mistake(
        "embedding-dropout-fixed",
        "token-embedding",
        Text(
            "The rate is 0.1 whatever is asked for: use the argument `dropout`.",
            "무엇을 받든 비율이 0.1입니다. 인수 `dropout`을 쓰세요.",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(0.1)"),
    ),
    _mistake(
        "embedding-config-without-dropout",
        "token-embedding",
        Text(
            "get_config leaves the dropout rate out, so a copy has the default rate.",
            "get_config에 드롭아웃 비율이 빠져 있어 복사본이 기본 비율을 씁니다.",
        ),
        {"embedding-config"},
        EMBEDDING,
        (", dropout=self.rate)", ")"),
    ),
    _mistake(
        "embedding-config-other-max-len",
        "token-embedding",
        Text(
            "get_config gives a max_len that isn't the layer's own.",
            "get_config의 max_len이 그 계층의 max_len이 아닙니다.",
        ),
        {"embedding-config"},
        EMBEDDING,
        ("max_len=self.max_len, dropout=self.rate)", "max_len=512, dropout=self.rate)"),
    ),
    _mistake(
        "embedding-config-empty",
        "token-embedding",
        Text(
            "get_config must hold every argument of __init__ under its own name.",
            "get_config에는 __init__의 모든 인수가 제 이름으로 들어 있어야 합니다.",
        ),
        {"embedding-config"},
        EMBEDDING,
        (
            "        config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len, dropout=self.rate)\n",
            "",
        ),
    ),
    _mistake(
        "embedding-dropout-in-one-piece",
        "token-embedding",
        Text(
            "Whole features of a sequence are dropped at once. Dropout draws each entry by itself.",
            "시퀀스의 특징 하나를 통째로 0으로 만듭니다. 드롭아웃은 원소마다 따로 뽑습니다.",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        ("keras.layers.Dropout(dropout)", "keras.layers.SpatialDropout1D(dropout)"),
    ),
    _mistake(
        "embedding-positions-of-words",
        "token-embedding",
        Text(
            "Positions are counted without the padding. They count every token.",
            "패딩을 빼고 위치를 셉니다. 위치는 모든 토큰을 셉니다.",
        ),
        {"embedding-scale"},
        EMBEDDING,
        (
            "x = self.positions(x)",
            "table = self.positions(ops.zeros((1, self.max_len, self.d_model)))[0]\n"
            '        at = ops.cumsum(ops.cast(ops.not_equal(token_ids, 0), "int32"), axis=1) - 1\n'
            "        x = x + ops.take(table, ops.maximum(at, 0), axis=0)",
        ),
    ),
    _mistake(
        "embedding-dropout-same-each-time",
        "token-embedding",
        Text(
            "With a fixed seed every call drops the same entries.",
            "시드를 고정하면 호출마다 같은 원소가 0이 됩니다.",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        (
            "return self.dropout(x, training=training)",
            "return keras.random.dropout(x, self.rate, seed=1) if training else x",
        ),
    ),
    _mistake(
        "embedding-other-default-rate",
        "token-embedding",
        Text(
            "The default of `dropout` is another than 0.1.",
            "`dropout`의 기본값이 0.1이 아닙니다.",
        ),
        {"embedding-dropout"},
        EMBEDDING,
        ("dropout=0.1", "dropout=0.0"),
    ),
)

ENCODER_CALL = "EncoderBlock(dim, num_heads, ff_dim, dropout)(x)"
DECODER_CALL = "DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory, self_mask=mask)"
ENCODER_LOOP = "    for _ in range(num_encoder_blocks):\n"
DECODER_LOOP = "    for _ in range(num_decoder_blocks):\n"
OUTPUT = "    output = keras.layers.Dense(dim)(x)\n"
MASK = "create_look_ahead_mask(ops.shape(x)[1])"
POST_NORM = "dropout, norm_first=False)"

_CONTINUOUS_MISTAKES = (
    _mistake(
        "continuous-nothing-returned",
        "continuous-model",
        Text("The function must return the keras.Model.", "함수가 keras.Model을 돌려주어야 합니다."),
        {"continuous-builds"},
        CONTINUOUS,
        ("    return keras.Model(", "    model = keras.Model("),
    ),
    _mistake(
        "continuous-fixed-length",
        "continuous-model",
        Text(
            "The target's length is fixed to `timesteps`. Give its Input the length None.",
            "타깃의 길이가 `timesteps`로 고정되어 있습니다. Input의 길이를 None으로 두세요.",
        ),
        {"continuous-lengths"},
        CONTINUOUS,
        ("keras.Input((None, dim))", "keras.Input((timesteps, dim))"),
    ),
    _mistake(
        "continuous-decoder-without-feed-forward",
        "continuous-model",
        Text(
            "The decoder's feed-forward isn't part of the output: the block returns what went into it, as the lecture's does "
            "(7316 parameters instead of 10588). Add the feed-forward's result to the residual and return that.",
            "디코더의 피드포워드 신경망이 출력에 들어 있지 않습니다. 강의의 것처럼 블록이 거기에 들어간 값을 그대로 돌려줍니다(파라미터 10588개가 아니라 "
            "7316개). 피드포워드의 결과를 잔차에 더해 돌려주세요.",
        ),
        {"continuous-count"},
        LECTURE,
        (
            "    res = residual(res, y, dropout)\n    y = feed_forward(normed(res), ff_dim, x.shape[-1])\n    return residual(res, y, dropout)\n\n\ndef build",
            "    res = residual(res, y, dropout)\n    y = feed_forward(normed(res), ff_dim, x.shape[-1])\n    return res\n\n\ndef build",
        ),
    ),
    _mistake(
        "continuous-last-norms",
        "continuous-model",
        Text(
            "There is a normalisation after each stack. The token model has them; the lecture's model hasn't.",
            "스택마다 뒤에 정규화가 있습니다. 토큰 모델에는 있지만 강의의 모델에는 없습니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = keras.layers.LayerNormalization()(x)\n"),
        (OUTPUT, "    output = keras.layers.Dense(dim)(keras.layers.LayerNormalization()(x))\n"),
    ),
    _mistake(
        "continuous-last-norm",
        "continuous-model",
        Text(
            "There is a normalisation after one of the stacks. The lecture's model has none.",
            "한 스택 뒤에 정규화가 있습니다. 강의의 모델에는 없습니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        (OUTPUT, "    output = keras.layers.Dense(dim)(keras.layers.LayerNormalization()(x))\n"),
    ),
    _mistake(
        "continuous-without-output",
        "continuous-model",
        Text(
            "The Dense(dim) after the last decoder block is missing.",
            "마지막 디코더 블록 뒤의 Dense(dim)가 빠졌습니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        (OUTPUT, "    output = x\n"),
    ),
    _mistake(
        "continuous-one-block-for-all",
        "continuous-model",
        Text(
            "One block is called several times. Each block needs weights of its own: make it inside the loop.",
            "블록 하나를 여러 번 호출했습니다. 블록마다 자기 가중치가 있어야 합니다. 반복문 안에서 만드세요.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        (ENCODER_LOOP, "    encoder_block = EncoderBlock(dim, num_heads, ff_dim, dropout)\n" + ENCODER_LOOP),
        (ENCODER_CALL, "encoder_block(x)"),
    ),
    _mistake(
        "continuous-memory-of-the-first-block",
        "continuous-model",
        Text(
            "The decoder looks at the output of the first encoder block. The memory is the output of the last one.",
            "디코더가 첫 인코더 블록의 출력을 봅니다. 메모리는 마지막 블록의 출력입니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = after_blocks[1]\n"),
    ),
    _mistake(
        "continuous-blocks-exchanged",
        "continuous-model",
        Text(
            "The numbers of encoder and decoder blocks have changed places.",
            "인코더 블록의 수와 디코더 블록의 수가 서로 바뀌었습니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        (ENCODER_LOOP, DECODER_LOOP.replace("for _", "for i")),
        (DECODER_LOOP, ENCODER_LOOP.replace("for _", "for j")),
    ),
    _mistake(
        "continuous-encoder-bypassed",
        "continuous-model",
        Text(
            "The decoder looks at the source itself. The memory is the output of the last encoder block.",
            "디코더가 소스 자체를 봅니다. 메모리는 마지막 인코더 블록의 출력입니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = after_blocks[0]\n"),
    ),
    _mistake(
        "continuous-ff-dim-ignored",
        "continuous-model",
        Text(
            "The feed-forward is 4 * dim wide inside, whatever ff_dim says.",
            "ff_dim이 무엇이든 피드포워드 신경망의 안쪽 너비가 4 * dim입니다.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        (ENCODER_CALL, "EncoderBlock(dim, num_heads, 4 * dim, dropout)(x)"),
        (DECODER_CALL, "DecoderBlock(dim, num_heads, 4 * dim, dropout)(x, memory, self_mask=mask)"),
    ),
    _mistake(
        "continuous-wide-heads",
        "continuous-model",
        Text(
            "Each head is as wide as the whole model: key_dim is the width of one head, dim // num_heads.",
            "헤드 하나가 모델 전체만큼 넓습니다. key_dim은 헤드 하나의 너비, 곧 dim // num_heads입니다.",
        ),
        {"continuous-count"},
        LECTURE,
        ("encoder(x, num_heads, dim // num_heads, ff_dim, dropout)", "encoder(x, num_heads, dim, ff_dim, dropout)"),
        (
            "decoder(x, memory, num_heads, dim // num_heads, ff_dim, dropout)",
            "decoder(x, memory, num_heads, dim, ff_dim, dropout)",
        ),
    ),
    _mistake(
        "continuous-look-ahead-missing",
        "continuous-model",
        Text(
            "The decoder's self-attention gets no look-ahead mask.",
            "디코더의 셀프 어텐션에 룩어헤드 마스크를 전하지 않았습니다.",
        ),
        {"continuous-causal"},
        CONTINUOUS,
        (DECODER_CALL, "DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory)"),
    ),
    _mistake(
        "continuous-look-ahead-inverted",
        "continuous-model",
        Text(
            "The look-ahead mask is upside down: each position sees its future and not its past. Keras's attention_mask is True where "
            "one may look, the mask of this course is 1 where one may not.",
            "룩어헤드 마스크가 뒤집혔습니다. 위치마다 미래를 보고 과거를 보지 못합니다. 케라스의 attention_mask는 볼 수 있는 곳이 True이고, 이 "
            "과정의 마스크는 볼 수 없는 곳이 1입니다.",
        ),
        {"continuous-causal"},
        CONTINUOUS,
        (MASK, "1 - " + MASK),
    ),
    _mistake(
        "continuous-look-ahead-one-step-late",
        "continuous-model",
        Text(
            "The mask lets each position see one step ahead. What is strictly above the diagonal is hidden.",
            "마스크가 한 걸음 앞의 미래까지 보여 줍니다. 대각선보다 위쪽은 모두 가려야 합니다.",
        ),
        {"continuous-causal"},
        CONTINUOUS,
        (MASK, "ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=2)"),
    ),
    _mistake(
        "continuous-diagonal-hidden",
        "continuous-model",
        Text(
            "The mask hides the diagonal too. Each position may see itself; without that the first one sees nothing at all.",
            "마스크가 대각선까지 가립니다. 위치마다 자기 자신은 볼 수 있습니다. 그러지 않으면 첫 위치는 아무것도 보지 못합니다.",
        ),
        {"continuous-causal"},
        CONTINUOUS,
        (MASK, "ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=0)"),
    ),
    _mistake(
        "continuous-memory-unused",
        "continuous-model",
        Text(
            "The second attention of the decoder looks at the target again: hand the encoder's output to it.",
            "디코더의 둘째 어텐션이 다시 타깃을 봅니다. 인코더의 출력을 전하세요.",
        ),
        {"continuous-count", "continuous-memory"},
        CONTINUOUS,
        (DECODER_CALL, "DecoderBlock(dim, num_heads, ff_dim, dropout)(x, x, self_mask=mask, memory_mask=mask)"),
    ),
    _mistake(
        "continuous-memory-of-the-last-step",
        "continuous-model",
        Text(
            "The decoder sees the encoder's last step only, as in a recurrent network. It should attend to all of them.",
            "디코더가 순환 신경망에서처럼 인코더의 마지막 자리만 봅니다. 모든 자리를 보아야 합니다.",
        ),
        {"continuous-values"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = x[:, -1:]\n"),
    ),
    _mistake(
        "continuous-decoder-fed-with-the-source",
        "continuous-model",
        Text(
            "The decoder starts from the source instead of the target.", "디코더가 타깃이 아니라 소스에서 시작합니다."
        ),
        {"continuous-lengths", "continuous-causal"},
        CONTINUOUS,
        ("    x = positions(target)\n", "    x = positions(source)\n"),
        ("ops.shape(x)[1]))(target)", "ops.shape(x)[1]))(source)"),
    ),
    _mistake(
        "continuous-post-norm",
        "continuous-model",
        Text(
            "These are post-norm blocks. The lecture's are pre-norm: normalise what goes into each sublayer.",
            "사후 정규화 블록입니다. 강의의 블록은 사전 정규화입니다. 각 하위 계층에 들어가는 것을 정규화하세요.",
        ),
        {"continuous-values"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("dropout)", POST_NORM)),
        (DECODER_CALL, DECODER_CALL.replace("dropout)", POST_NORM)),
    ),
    _mistake(
        "continuous-one-head",
        "continuous-model",
        Text("There is one head, whatever num_heads says.", "num_heads가 무엇이든 헤드가 하나입니다."),
        {"continuous-values"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("num_heads", "1")),
        (DECODER_CALL, DECODER_CALL.replace("num_heads", "1")),
    ),
    _mistake(
        "continuous-heads-and-width-exchanged",
        "continuous-model",
        Text(
            "The number of heads and the width of a head have changed places, as in the lecture: 3 heads of 4 instead of 4 of 3. No count "
            "shows it. Name the arguments: num_heads=…, key_dim=….",
            "헤드의 수와 헤드의 너비가 서로 바뀌었습니다. 강의의 모델도 그래서 너비 3인 헤드 4개가 아니라 너비 4인 헤드 3개였습니다. "
            "파라미터 수로는 드러나지 않습니다. num_heads=…, key_dim=…처럼 인수의 이름을 쓰세요.",
        ),
        {"continuous-values"},
        LECTURE,
        (
            "encoder(x, num_heads, dim // num_heads, ff_dim, dropout)",
            "encoder(x, dim // num_heads, num_heads, ff_dim, dropout)",
        ),
        (
            "decoder(x, memory, num_heads, dim // num_heads, ff_dim, dropout)",
            "decoder(x, memory, dim // num_heads, num_heads, ff_dim, dropout)",
        ),
    ),
    _mistake(
        "continuous-causal-encoder",
        "continuous-model",
        Text(
            "The encoder is causal too. It may look at the whole source; only the decoder's self-attention is masked.",
            "인코더까지 인과적입니다. 인코더는 소스 전체를 보아도 됩니다. 디코더의 셀프 어텐션에만 마스크를 씁니다.",
        ),
        {"continuous-values"},
        LECTURE,
        ("(y, y)\n", "(y, y, use_causal_mask=True)\n"),
    ),
    _mistake(
        "continuous-causal-memory",
        "continuous-model",
        Text(
            "The attention over memory is masked as if it were causal. Each target may look at the whole source.",
            "교차 어텐션에 인과적인 마스크를 썼습니다. 타깃의 모든 자리가 소스 전체를 보아도 됩니다.",
        ),
        {"continuous-values"},
        LECTURE,
        ("(normed(res), memory)", "(normed(res), memory, use_causal_mask=True)"),
    ),
    _mistake(
        "continuous-relu-output",
        "continuous-model",
        Text(
            "The last Dense has an activation, so the output can't be negative. It has none.",
            "마지막 Dense에 활성화 함수가 있어 출력이 음수가 될 수 없습니다. 활성화 함수를 빼세요.",
        ),
        {"continuous-values"},
        CONTINUOUS,
        (OUTPUT, "    output = keras.layers.Dense(dim, activation='relu')(x)\n"),
    ),
    _mistake(
        "continuous-feed-forward-without-residual",
        "continuous-model",
        Text(
            "The decoder's feed-forward has no residual: add its result to what went in before the normalisation.",
            "디코더의 피드포워드 신경망에 잔차 연결이 없습니다. 그 결과를 정규화하기 전의 입력에 더하세요.",
        ),
        {"continuous-values"},
        LECTURE,
        (
            "    return residual(res, y, dropout)\n\n\ndef build",
            "    return keras.layers.Dropout(dropout)(y)\n\n\ndef build",
        ),
    ),
    _mistake(
        "continuous-dropout-always",
        "continuous-model",
        Text(
            "It drops outside training too: don't pass training=True inside the model.",
            "학습 때가 아닌데도 드롭아웃이 일어납니다. 모델 안에서 training=True를 주지 마세요.",
        ),
        {"continuous-dropout"},
        CONTINUOUS,
        (OUTPUT, "    output = keras.layers.Dense(dim)(keras.layers.Dropout(dropout)(x, training=True))\n"),
    ),
    _mistake(
        "continuous-without-dropout",
        "continuous-model",
        Text(
            "The argument `dropout` doesn't reach the blocks: nothing is dropped.",
            "인수 `dropout`이 블록에 전달되지 않아 드롭아웃이 일어나지 않습니다.",
        ),
        {"continuous-dropout"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("dropout", "0.0")),
        (DECODER_CALL, DECODER_CALL.replace("dropout", "0.0")),
    ),
    _mistake(
        "continuous-dropout-fixed",
        "continuous-model",
        Text(
            "The argument `dropout` doesn't reach all blocks: some drop at the default rate.",
            "인수 `dropout`이 전달되지 않는 블록이 있습니다. 그 블록은 기본 비율을 씁니다.",
        ),
        {"continuous-dropout"},
        CONTINUOUS,
        (DECODER_CALL, DECODER_CALL.replace(", dropout", "")),
    ),
    _mistake(
        "continuous-memory-not-dropped",
        "continuous-model",
        Text(
            "The attention over the memory has no dropout; every sublayer's output is dropped before it is added.",
            "교차 어텐션에 드롭아웃이 없습니다. 모든 하위 계층의 출력은 더하기 전에 드롭아웃을 거칩니다.",
        ),
        {"continuous-dropout"},
        LECTURE,
        ("memory)\n    res = residual(res, y, dropout)", "memory)\n    res = keras.layers.Add()([res, y])"),
    ),
    _mistake(
        "continuous-self-attention-not-dropped",
        "continuous-model",
        Text(
            "The decoder's self-attention has no dropout; every sublayer's output is dropped before it is added.",
            "디코더의 셀프 어텐션에 드롭아웃이 없습니다. 모든 하위 계층의 출력은 더하기 전에 드롭아웃을 거칩니다.",
        ),
        {"continuous-dropout"},
        LECTURE,
        ("mask=True)\n    res = residual(x, y, dropout)", "mask=True)\n    res = keras.layers.Add()([x, y])"),
    ),
    _mistake(
        "continuous-feed-forward-not-dropped",
        "continuous-model",
        Text(
            "The decoder's feed-forward network has no dropout; every sublayer's output is dropped before it is added.",
            "디코더의 피드포워드 신경망에 드롭아웃이 없습니다. 모든 하위 계층의 출력은 더하기 전에 드롭아웃을 거칩니다.",
        ),
        {"continuous-dropout"},
        LECTURE,
        (
            "    return residual(res, y, dropout)\n\n\ndef build",
            "    return keras.layers.Add()([res, y])\n\n\ndef build",
        ),
    ),
    _mistake(
        "continuous-encoder-without-dropout",
        "continuous-model",
        Text(
            "The argument `dropout` doesn't reach the encoder blocks: nothing is dropped there.",
            "인수 `dropout`이 인코더 블록에 전달되지 않아 그곳에서는 드롭아웃이 일어나지 않습니다.",
        ),
        {"continuous-dropout"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("dropout", "0.0")),
    ),
    _mistake(
        "continuous-decoder-without-dropout",
        "continuous-model",
        Text(
            "The argument `dropout` doesn't reach the decoder blocks: nothing is dropped there.",
            "인수 `dropout`이 디코더 블록에 전달되지 않아 그곳에서는 드롭아웃이 일어나지 않습니다.",
        ),
        {"continuous-dropout"},
        CONTINUOUS,
        (DECODER_CALL, DECODER_CALL.replace("dropout", "0.0")),
    ),
    _mistake(
        "continuous-one-decoder-block-for-all",
        "continuous-model",
        Text(
            "One decoder block is called several times. Each block needs weights of its own: make it inside the loop.",
            "디코더 블록 하나를 여러 번 호출합니다. 블록마다 가중치가 따로 있어야 합니다. 반복문 안에서 만드세요.",
        ),
        {"continuous-count"},
        CONTINUOUS,
        (DECODER_LOOP, "    shared = DecoderBlock(dim, num_heads, ff_dim, dropout)\n" + DECODER_LOOP),
        (DECODER_CALL, "shared(x, memory, self_mask=mask)"),
    ),
    _mistake(
        "continuous-look-ahead-in-one-block",
        "continuous-model",
        Text(
            "Only the first decoder block gets the look-ahead mask. Every one needs it.",
            "첫 디코더 블록에만 룩어헤드 마스크를 전했습니다. 모든 블록에 필요합니다.",
        ),
        {"continuous-causal"},
        CONTINUOUS,
        (DECODER_LOOP, DECODER_LOOP.replace("for _", "for i")),
        (DECODER_CALL, DECODER_CALL.replace("self_mask=mask", "self_mask=mask if i == 0 else None")),
    ),
    _mistake(
        "continuous-memory-in-the-last-block-only",
        "continuous-model",
        Text(
            "Only the last decoder block looks at the memory, the others at the source itself.",
            "마지막 디코더 블록만 메모리를 보고, 나머지는 소스 자체를 봅니다.",
        ),
        {"continuous-values"},
        CONTINUOUS,
        (DECODER_LOOP, DECODER_LOOP.replace("for _", "for i")),
        (DECODER_CALL, DECODER_CALL.replace("memory,", "memory if i == num_decoder_blocks - 1 else source,")),
    ),
    _mistake(
        "continuous-positions-too-short",
        "continuous-model",
        Text(
            "The positions end at twice the number of timesteps. The target may have any length.",
            "위치 인코딩이 timesteps의 두 배에서 끝납니다. 타깃은 어떤 길이든 될 수 있습니다.",
        ),
        {"continuous-lengths"},
        CONTINUOUS,
        ("PositionalEncoding(256, dim)", "PositionalEncoding(2 * timesteps, dim)"),
    ),
)

EMBED_SOURCE = "    x = embed_source(source_ids)\n"
EMBED_TARGET = "    x = embed_target(target_ids)\n"
ENCODE = "EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)"
BLOCK = "DecoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)\n"
DECODE = "block(x, memory, self_mask=target_mask, memory_mask=source_mask)"
TARGET_MASK = "keras.layers.Lambda(create_decoder_mask)(target_ids)"
ONLY_AHEAD = "keras.layers.Lambda(lambda ids: create_look_ahead_mask(ops.shape(ids)[1]))(target_ids)"
LOGITS = "        logits = keras.layers.Dense(vocab_size)(x)\n"
TIED = "        logits = Tied(embed_target.embedding)(x)\n"
SHARED = "embed_source if tie_weights else TokenEmbedding(vocab_size, d_model, max_len, dropout)"
NORM_OF_MEMORY = "    if norm_first:\n        x = keras.layers.LayerNormalization(epsilon=1e-6)(x)\n    memory = x\n"
LAST_NORM = '    if norm_first:\n        x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)\n'
UNSCALED = "PositionalEncoding(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)({}_ids))"

_TOKEN_MISTAKES = (
    _mistake(
        "token-output-missing",
        "token-model",
        Text(
            "The last layer is missing: a Dense(vocab_size) turns d_model features into one score for each token.",
            "마지막 계층이 빠졌습니다. Dense(vocab_size)가 d_model개의 특징을 토큰마다의 점수로 바꿉니다.",
        ),
        {"token-builds"},
        TOKENS,
        (LOGITS, "        logits = x\n"),
    ),
    _mistake(
        "token-fixed-length",
        "token-model",
        Text(
            "The lengths are fixed to max_len: give both Inputs the length None.",
            "길이가 max_len으로 고정되어 있습니다. 두 Input의 길이를 None으로 두세요.",
        ),
        {"token-lengths", "token-source-padding"},
        TOKENS,
        ('source_ids = keras.Input((None,), dtype="int32")', 'source_ids = keras.Input((max_len,), dtype="int32")'),
        ('target_ids = keras.Input((None,), dtype="int32")', 'target_ids = keras.Input((max_len,), dtype="int32")'),
    ),
    _mistake(
        "token-without-last-norms",
        "token-model",
        Text(
            "The normalisations after the two stacks are missing: a pre-norm stack ends in an unnormalised sum.",
            "두 스택 뒤의 정규화가 빠졌습니다. 사전 정규화 스택에서 나오는 것은 정규화되지 않은 합입니다.",
        ),
        {"token-count"},
        TOKENS,
        (NORM_OF_MEMORY, "    memory = x\n"),
        (LAST_NORM, ""),
    ),
    _mistake(
        "token-without-encoder-norm",
        "token-model",
        Text(
            "One of the two stacks has no normalisation after it. With pre-norm blocks each ends in one.",
            "두 스택 가운데 하나의 뒤에 정규화가 없습니다. 사전 정규화 블록의 스택은 둘 다 정규화로 끝납니다.",
        ),
        {"token-count"},
        TOKENS,
        (NORM_OF_MEMORY, "    memory = x\n"),
    ),
    _mistake(
        "token-one-embedding",
        "token-model",
        Text(
            "Source and target share an embedding though tie_weights is False: untied each has its own.",
            "tie_weights가 False인데 소스와 타깃이 임베딩을 함께 씁니다. 공유하지 않을 때는 저마다 자기 것이 있습니다.",
        ),
        {"token-count"},
        TOKENS,
        (SHARED, "embed_source"),
    ),
    _mistake(
        "token-always-tied",
        "token-model",
        Text("The weights are tied though tie_weights is False.", "tie_weights가 False인데 가중치를 공유합니다."),
        {"token-count"},
        TOKENS,
        (SHARED, "embed_source"),
        ("    if tie_weights:\n" + TIED + "    else:\n" + LOGITS, TIED[4:]),
    ),
    _mistake(
        "token-one-layer",
        "token-model",
        Text(
            "There is one encoder and one decoder block, or one is called again and again. There should be num_layers of each, with "
            "weights of their own.",
            "인코더 블록과 디코더 블록이 하나씩이거나, 하나를 되풀이해 호출했습니다. 자기 가중치가 있는 블록이 num_layers개씩 있어야 합니다.",
        ),
        {"token-count"},
        TOKENS,
        (
            EMBED_SOURCE,
            EMBED_SOURCE + "    encoder_block = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)\n",
        ),
        (ENCODE, "encoder_block(x, mask=source_mask)"),
        (EMBED_TARGET, EMBED_TARGET + "    block = " + BLOCK),
        ("        block = " + BLOCK, ""),
    ),
    _mistake(
        "token-ff-dim-ignored",
        "token-model",
        Text(
            "The feed-forward is 4 * d_model wide inside, whatever ff_dim says.",
            "ff_dim이 무엇이든 피드포워드 신경망의 안쪽 너비가 4 * d_model입니다.",
        ),
        {"token-count"},
        TOKENS,
        (ENCODE, ENCODE.replace("ff_dim", "4 * d_model")),
        (BLOCK, BLOCK.replace("ff_dim", "4 * d_model")),
    ),
    _mistake(
        "token-encoder-bypassed",
        "token-model",
        Text(
            "The decoder looks at the source's embeddings. The memory is what comes out of the last encoder block.",
            "디코더가 소스의 임베딩을 봅니다. 메모리는 마지막 인코더 블록에서 나오는 것입니다.",
        ),
        {"token-count", "token-post-norm"},
        TOKENS,
        (
            "        x = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)\n",
            "        encoded = EncoderBlock(d_model, num_heads, ff_dim, dropout, norm_first)(x, mask=source_mask)\n",
        ),
    ),
    _mistake(
        "token-learned-positions",
        "token-model",
        Text(
            "The positions are learned: two more tables of weights. TokenEmbedding adds the sinusoidal ones, which have none.",
            "위치를 학습하느라 가중치 표가 두 개 더 있습니다. TokenEmbedding은 사인과 코사인의 위치 인코딩을 더하며, 거기에는 가중치가 없습니다.",
        ),
        {"token-count"},
        TOKENS,
        (
            "def build_transformer(",
            "class Learned(keras.layers.Layer):\n"
            "    def __init__(self, max_len, d_model, **kwargs):\n"
            "        super().__init__(**kwargs)\n"
            "        self.table = keras.layers.Embedding(max_len, d_model)\n\n"
            "    def call(self, x):\n"
            "        return x + self.table(ops.arange(ops.shape(x)[1]))\n\n\n"
            "def build_transformer(",
        ),
        (
            EMBED_SOURCE,
            "    y = Learned(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)(source_ids))\n"
            "    x = embed_source(source_ids) if tie_weights else y\n",
        ),
        (
            EMBED_TARGET,
            "    y = Learned(max_len, d_model)(keras.layers.Embedding(vocab_size, d_model)(target_ids))\n"
            "    x = embed_target(target_ids) if tie_weights else y\n",
        ),
    ),
    _mistake(
        "token-no-look-ahead",
        "token-model",
        Text(
            "The decoder's self-attention hides the target's padding, but not the future.",
            "디코더의 셀프 어텐션이 타깃의 패딩은 가리지만 미래는 가리지 않습니다.",
        ),
        {"token-causal"},
        TOKENS,
        (TARGET_MASK, "keras.layers.Lambda(create_padding_mask)(target_ids)"),
    ),
    _mistake(
        "token-look-ahead-inverted",
        "token-model",
        Text(
            "The look-ahead mask is upside down: each position sees its future and not its past. In the masks of this course 1 hides, "
            "in Keras's attention_mask True may be attended.",
            "룩어헤드 마스크가 뒤집혔습니다. 위치마다 미래를 보고 과거를 보지 못합니다. 이 과정의 마스크에서는 1이 가리고, 케라스의 "
            "attention_mask에서는 True인 곳을 볼 수 있습니다.",
        ),
        {"token-causal", "token-target-padding"},
        TOKENS,
        (
            TARGET_MASK,
            "keras.layers.Lambda(\n"
            "        lambda ids: ops.maximum(create_padding_mask(ids), 1 - create_look_ahead_mask(ops.shape(ids)[1])))(target_ids)",
        ),
    ),
    _mistake(
        "token-look-ahead-one-step-late",
        "token-model",
        Text(
            "The mask lets each position see one step ahead. What is strictly above the diagonal is hidden.",
            "마스크가 한 걸음 앞의 미래까지 보여 줍니다. 대각선보다 위쪽은 모두 가려야 합니다.",
        ),
        {"token-causal"},
        TOKENS,
        (
            TARGET_MASK,
            "keras.layers.Lambda(\n"
            "        lambda ids: ops.maximum(create_padding_mask(ids), ops.triu(ops.ones((ops.shape(ids)[1],) * 2), k=2)))(target_ids)",
        ),
    ),
    _mistake(
        "token-look-ahead-in-the-first-block",
        "token-model",
        Text(
            "Only the first decoder block gets the look-ahead mask. Every one needs it: one that doesn't have it lets everything through.",
            "첫 디코더 블록에만 룩어헤드 마스크를 전했습니다. 모든 블록에 필요합니다. 하나라도 없으면 그리로 모두 새어 나갑니다.",
        ),
        {"token-causal", "token-target-padding"},
        TOKENS,
        (DECODE, "block(x, memory, self_mask=target_mask if i == 0 else None, memory_mask=source_mask)"),
    ),
    _mistake(
        "token-look-ahead-in-the-last-block",
        "token-model",
        Text(
            "Only the last decoder block gets the look-ahead mask. Every one needs it: one that doesn't have it lets everything through.",
            "마지막 디코더 블록에만 룩어헤드 마스크를 전했습니다. 모든 블록에 필요합니다. 하나라도 없으면 그리로 모두 새어 나갑니다.",
        ),
        {"token-causal", "token-target-padding"},
        TOKENS,
        (
            DECODE,
            "block(x, memory, self_mask=target_mask if i == num_layers - 1 else None, memory_mask=source_mask)",
        ),
    ),
    _mistake(
        "token-memory-unused",
        "token-model",
        Text(
            "The second attention of the decoder looks at the target again: hand the encoder's output to it.",
            "디코더의 둘째 어텐션이 다시 타깃을 봅니다. 인코더의 출력을 전하세요.",
        ),
        {"token-count", "token-source"},
        TOKENS,
        (DECODE, "block(x, x, self_mask=target_mask, memory_mask=target_mask)"),
    ),
    _mistake(
        "token-source-without-positions",
        "token-model",
        Text(
            "The source gets no positions, so the encoder can't know the order of its tokens.",
            "소스에 위치를 더하지 않아 인코더가 토큰의 순서를 알 수 없습니다.",
        ),
        {"token-source"},
        TOKENS,
        (
            EMBED_SOURCE,
            "    x = embed_source(source_ids)\n    x = x - PositionalEncoding(max_len, d_model)(ops.zeros_like(x))\n",
        ),
    ),
    _mistake(
        "token-no-source-mask",
        "token-model",
        Text(
            "The source's padding isn't hidden anywhere. Hand its mask to the encoder blocks and to the attention over memory.",
            "소스의 패딩을 어디서도 가리지 않았습니다. 그 마스크를 인코더 블록과 교차 어텐션에 전하세요.",
        ),
        {"token-source-padding"},
        TOKENS,
        (ENCODE, ENCODE.replace("(x, mask=source_mask)", "(x)")),
        (DECODE, "block(x, memory, self_mask=target_mask)"),
    ),
    _mistake(
        "token-no-encoder-mask",
        "token-model",
        Text("In the encoder the source's padding isn't hidden.", "인코더에서 소스의 패딩을 가리지 않았습니다."),
        {"token-source-padding"},
        TOKENS,
        (ENCODE, ENCODE.replace("(x, mask=source_mask)", "(x)")),
    ),
    _mistake(
        "token-no-memory-mask",
        "token-model",
        Text(
            "In the attention over memory the source's padding isn't hidden: it needs the source's mask as well.",
            "교차 어텐션에서 소스의 패딩을 가리지 않았습니다. 여기에도 소스의 마스크가 필요합니다.",
        ),
        {"token-source-padding"},
        TOKENS,
        (DECODE, "block(x, memory, self_mask=target_mask)"),
    ),
    _mistake(
        "token-target-mask-on-memory",
        "token-model",
        Text(
            "The attention over memory gets the target's padding mask. Its keys are the source's positions: it needs the source's.",
            "교차 어텐션에 타깃의 패딩 마스크를 전했습니다. 그 키는 소스의 위치들이므로 소스의 마스크가 필요합니다.",
        ),
        {"token-lengths", "token-source-padding"},
        TOKENS,
        (
            "    x = embed_target(target_ids)\n",
            "    x = embed_target(target_ids)\n    padding_mask = keras.layers.Lambda(create_padding_mask)(target_ids)\n",
        ),
        (DECODE, "block(x, memory, self_mask=target_mask, memory_mask=padding_mask)"),
    ),
    _mistake(
        "token-source-mask-inverted",
        "token-model",
        Text(
            "The source's mask is upside down: only padding is looked at. 1 hides here, True attends in Keras.",
            "소스의 마스크가 뒤집혀 패딩만 봅니다. 여기서는 1이 가리고, 케라스에서는 True인 곳을 봅니다.",
        ),
        {"token-source-padding", "token-values", "token-post-norm"},
        TOKENS,
        (
            "keras.layers.Lambda(create_padding_mask)(source_ids)",
            "keras.layers.Lambda(lambda ids: 1 - create_padding_mask(ids))(source_ids)",
        ),
    ),
    _mistake(
        "token-mask-for-queries",
        "token-model",
        Text(
            "The encoder's mask stands on the queries' axis. It belongs on the keys': (batch, 1, 1, seq_len).",
            "인코더의 마스크가 쿼리의 축에 놓여 있습니다. 키의 축에 놓으세요: (batch, 1, 1, seq_len).",
        ),
        {"token-source-padding"},
        TOKENS,
        (
            ENCODE,
            ENCODE.replace("mask=source_mask", "mask=keras.layers.Permute((1, 3, 2))(source_mask)"),
        ),
    ),
    _mistake(
        "token-no-target-mask",
        "token-model",
        Text(
            "The decoder's self-attention hides the future, but not the target's padding.",
            "디코더의 셀프 어텐션이 미래는 가리지만 타깃의 패딩은 가리지 않습니다.",
        ),
        {"token-target-padding"},
        TOKENS,
        (TARGET_MASK, ONLY_AHEAD),
    ),
    _mistake(
        "token-softmax",
        "token-model",
        Text(
            "The model returns probabilities. Leave the softmax out: asked for are the logits, the loss does the rest.",
            "모델이 확률을 돌려줍니다. 소프트맥스를 빼세요. 돌려줄 것은 로짓이고, 나머지는 손실이 합니다.",
        ),
        {"token-values", "token-post-norm", "token-tied"},
        TOKENS,
        ("    return keras.Model(", "    logits = keras.layers.Softmax()(logits)\n    return keras.Model("),
    ),
    _mistake(
        "token-one-head",
        "token-model",
        Text("There is one head, whatever num_heads says.", "num_heads가 무엇이든 헤드가 하나입니다."),
        {"token-values", "token-post-norm"},
        TOKENS,
        (ENCODE, ENCODE.replace("num_heads", "1")),
        (BLOCK, BLOCK.replace("num_heads", "1")),
    ),
    _mistake(
        "token-heads-and-width-exchanged",
        "token-model",
        Text(
            "The number of heads and the width of a head have changed places: the count stays, the function doesn't.",
            "헤드의 수와 헤드의 너비가 서로 바뀌었습니다. 파라미터 수는 같아도 계산은 다릅니다.",
        ),
        {"token-values", "token-post-norm"},
        TOKENS,
        (ENCODE, ENCODE.replace("num_heads", "d_model // num_heads")),
        (BLOCK, BLOCK.replace("num_heads", "d_model // num_heads")),
    ),
    _mistake(
        "token-causal-encoder",
        "token-model",
        Text(
            "The encoder is causal too. It may look at the whole source; only the decoder's self-attention hides the future.",
            "인코더까지 인과적입니다. 인코더는 소스 전체를 보아도 됩니다. 미래는 디코더의 셀프 어텐션만 가립니다.",
        ),
        {"token-values", "token-post-norm"},
        TOKENS,
        (
            "keras.layers.Lambda(create_padding_mask)(source_ids)",
            "keras.layers.Lambda(create_padding_mask)(source_ids)\n"
            "    causal_mask = keras.layers.Lambda(create_decoder_mask)(source_ids)",
        ),
        (ENCODE, ENCODE.replace("mask=source_mask", "mask=causal_mask")),
    ),
    _mistake(
        "token-positions-twice",
        "token-model",
        Text(
            "The positions are added twice: TokenEmbedding has done it already.",
            "위치를 두 번 더했습니다. TokenEmbedding이 이미 더했습니다.",
        ),
        {"token-values", "token-post-norm"},
        TOKENS,
        (EMBED_SOURCE, "    x = PositionalEncoding(max_len, d_model)(embed_source(source_ids))\n"),
        (EMBED_TARGET, "    x = PositionalEncoding(max_len, d_model)(embed_target(target_ids))\n"),
    ),
    _mistake(
        "token-embedding-unscaled",
        "token-model",
        Text(
            "The embeddings aren't multiplied by the square root of d_model: use your TokenEmbedding.",
            "임베딩에 d_model의 제곱근을 곱하지 않았습니다. 여러분의 TokenEmbedding을 쓰세요.",
        ),
        {"token-values"},
        TOKENS,
        (EMBED_SOURCE, f"    x = {UNSCALED.format('source')} if not tie_weights else embed_source(source_ids)\n"),
        (EMBED_TARGET, f"    x = {UNSCALED.format('target')} if not tie_weights else embed_target(target_ids)\n"),
    ),
    _mistake(
        "token-always-post-norm",
        "token-model",
        Text(
            "The blocks are post-norm though norm_first is True: hand norm_first on to them.",
            "norm_first가 True인데 블록이 사후 정규화입니다. norm_first를 블록에 전하세요.",
        ),
        {"token-values"},
        TOKENS,
        (ENCODE, ENCODE.replace("norm_first", "False")),
        (BLOCK, BLOCK.replace("norm_first", "False")),
    ),
    _mistake(
        "token-norm-first-ignored",
        "token-model",
        Text(
            "The blocks are pre-norm though norm_first is False: hand norm_first on to them.",
            "norm_first가 False인데 블록이 사전 정규화입니다. norm_first를 블록에 전하세요.",
        ),
        {"token-post-norm"},
        TOKENS,
        (ENCODE, ENCODE.replace(", norm_first", "")),
        (BLOCK, BLOCK.replace(", norm_first", "")),
        (NORM_OF_MEMORY, "    memory = keras.layers.LayerNormalization(epsilon=1e-6)(x)\n"),
        (LAST_NORM, "    x = keras.layers.LayerNormalization(epsilon=1e-6)(x)\n"),
    ),
    _mistake(
        "token-tie-ignored",
        "token-model",
        Text(
            "tie_weights changes nothing: there are still three matrices.",
            "tie_weights가 아무것도 바꾸지 않습니다. 여전히 행렬이 셋입니다.",
        ),
        {"token-tied"},
        TOKENS,
        (SHARED, "TokenEmbedding(vocab_size, d_model, max_len, dropout)"),
        ("    if tie_weights:\n" + TIED + "    else:\n" + LOGITS, LOGITS[4:]),
    ),
    _mistake(
        "token-tied-embeddings-only",
        "token-model",
        Text(
            "Source and target share their matrix, but the output has a kernel of its own. It should be x times the matrix, transposed.",
            "소스와 타깃은 행렬을 함께 쓰지만 출력에 자기 커널이 있습니다. 출력은 x에 그 행렬의 전치를 곱한 것이어야 합니다.",
        ),
        {"token-tied"},
        TOKENS,
        ("    if tie_weights:\n" + TIED + "    else:\n" + LOGITS, LOGITS[4:]),
    ),
    _mistake(
        "token-tied-output-only",
        "token-model",
        Text(
            "The output uses the target's matrix, but the source has another one. All three should be one.",
            "출력은 타깃의 행렬을 쓰지만 소스에 다른 행렬이 있습니다. 셋이 모두 하나여야 합니다.",
        ),
        {"token-tied"},
        TOKENS,
        (SHARED, "TokenEmbedding(vocab_size, d_model, max_len, dropout)"),
    ),
    _mistake(
        "token-tied-copy",
        "token-model",
        Text(
            "The output's kernel begins as a copy of the embedding matrix, and in training they part. Use the same variable.",
            "출력의 커널이 임베딩 행렬의 복사본으로 시작해 학습하면서 달라집니다. 같은 변수를 쓰세요.",
        ),
        {"token-tied"},
        TOKENS,
        (
            TIED,
            "        output = keras.layers.Dense(vocab_size)\n"
            "        logits = output(x)\n"
            "        output.kernel.assign(ops.transpose(embed_target.embedding.embeddings))\n",
        ),
    ),
    _mistake(
        "token-tie-unwritten",
        "token-model",
        Text("With tie_weights=True the function raises.", "tie_weights=True이면 함수가 예외를 일으킵니다."),
        {"token-tied"},
        TOKENS,
        (TIED, '        raise ValueError("tie_weights is not supported")\n'),
    ),
    _mistake(
        "token-dropout-always",
        "token-model",
        Text(
            "It drops outside training too: don't pass training=True inside the model.",
            "학습 때가 아닌데도 드롭아웃이 일어납니다. 모델 안에서 training=True를 주지 마세요.",
        ),
        {"token-dropout"},
        TOKENS,
        (EMBED_TARGET, EMBED_TARGET + "    x = keras.layers.Dropout(dropout)(x, training=True)\n"),
    ),
    _mistake(
        "token-without-dropout",
        "token-model",
        Text(
            "The argument `dropout` reaches neither the embeddings nor the blocks: nothing is dropped in training.",
            "인수 `dropout`이 임베딩에도 블록에도 전달되지 않아 학습 때 드롭아웃이 일어나지 않습니다.",
        ),
        {"token-dropout"},
        TOKENS,
        ("    source_ids = keras.Input((None,)", "    dropout = 0.0\n    source_ids = keras.Input((None,)"),
    ),
    _mistake(
        "token-dropout-fixed",
        "token-model",
        Text(
            "The argument `dropout` doesn't reach every part: something drops at the default rate.",
            "인수 `dropout`이 전달되지 않는 곳이 있습니다. 그곳은 기본 비율을 씁니다.",
        ),
        {"token-dropout"},
        TOKENS,
        (ENCODE, "EncoderBlock(d_model, num_heads, ff_dim, norm_first=norm_first)(x, mask=source_mask)"),
    ),
    _mistake(
        "token-embedding-not-dropped",
        "token-model",
        Text(
            "The argument `dropout` reaches the blocks, but the embeddings aren't dropped (section 5.4 of the paper).",
            "인수 `dropout`이 블록에는 전달되지만 임베딩에는 드롭아웃이 없습니다(논문 5.4절).",
        ),
        {"token-dropout"},
        TOKENS,
        (
            "    embed_source = TokenEmbedding(vocab_size, d_model, max_len, dropout)",
            "    embed_source = TokenEmbedding(vocab_size, d_model, max_len, 0.0)",
        ),
        (
            "else TokenEmbedding(vocab_size, d_model, max_len, dropout)",
            "else TokenEmbedding(vocab_size, d_model, max_len, 0.0)",
        ),
    ),
    _mistake(
        "token-encoder-without-dropout",
        "token-model",
        Text(
            "The argument `dropout` reaches the embeddings and the decoder's blocks, but not the encoder's.",
            "인수 `dropout`이 임베딩과 디코더 블록에는 전달되지만 인코더 블록에는 전달되지 않습니다.",
        ),
        {"token-dropout"},
        TOKENS,
        (ENCODE, ENCODE.replace("dropout", "0.0")),
    ),
    _mistake(
        "token-decoder-without-dropout",
        "token-model",
        Text(
            "The argument `dropout` reaches the embeddings and the encoder's blocks, but not the decoder's.",
            "인수 `dropout`이 임베딩과 인코더 블록에는 전달되지만 디코더 블록에는 전달되지 않습니다.",
        ),
        {"token-dropout"},
        TOKENS,
        (BLOCK, BLOCK.replace("dropout", "0.0")),
    ),
    _mistake(
        "token-logits-dropped",
        "token-model",
        Text(
            "A dropout stands behind the output: in training the logits of some tokens become 0.",
            "출력 뒤에 드롭아웃이 있어서, 학습 때 일부 토큰의 로짓이 0이 됩니다.",
        ),
        {"token-dropout"},
        TOKENS,
        (
            "logits = keras.layers.Dense(vocab_size)(x)",
            "logits = keras.layers.Dropout(dropout)(keras.layers.Dense(vocab_size)(x))",
        ),
        (TIED, "        logits = keras.layers.Dropout(dropout)(Tied(embed_target.embedding)(x))\n"),
    ),
    _mistake(
        "token-padding-seen-in-post-norm",
        "token-model",
        Text(
            "The mask of the source's padding is handed on by the pre-norm model alone.",
            "소스의 패딩 마스크를 사전 정규화 모델에서만 전했습니다.",
        ),
        {"token-source-padding"},
        TOKENS,
        (ENCODE, ENCODE.replace("mask=source_mask", "mask=source_mask if norm_first else None")),
    ),
    _mistake(
        "token-tied-without-last-norms",
        "token-model",
        Text(
            "With tie_weights=True the normalisations after the two stacks are missing.",
            "tie_weights=True이면 두 스택 뒤의 정규화가 빠집니다.",
        ),
        {"token-tied"},
        TOKENS,
        (
            "    if norm_first:\n        x = keras.layers.LayerNormalization(epsilon=1e-6)(x)\n",
            "    if norm_first and not tie_weights:\n        x = keras.layers.LayerNormalization(epsilon=1e-6)(x)\n",
        ),
        (
            '    if norm_first:\n        x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)\n',
            '    if norm_first and not tie_weights:\n        x = keras.layers.LayerNormalization(epsilon=1e-6, name="last")(x)\n',
        ),
    ),
)

_COUNT_MISTAKES = (
    _mistake(
        "parameters-in-thousands",
        "model-parameters",
        Text("Return the whole number itself, an int.", "정수(int) 자체를 돌려주세요."),
        {"parameters-are-a-number"},
        COUNT,
        (
            "    return num_layers * (encoder + decoder) + 2 * norm + vocabulary",
            "    return f'{num_layers * (encoder + decoder) + 2 * norm + vocabulary:,}'",
        ),
    ),
    _mistake(
        "parameters-without-biases",
        "model-parameters",
        Text(
            "The biases of the attentions and of the feed-forward are missing.",
            "어텐션과 피드포워드 신경망의 편향이 빠졌습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * d_model * d_model"),
        ("(d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)", "2 * d_model * ff_dim"),
    ),
    _mistake(
        "parameters-without-norms",
        "model-parameters",
        Text(
            "The normalisations in the blocks are missing: each has a gain and a shift of d_model numbers.",
            "블록 안의 정규화가 빠졌습니다. 정규화마다 길이 d_model인 배율과 이동이 있습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("feed_forward + 2 * norm", "feed_forward"),
        ("feed_forward + 3 * norm", "feed_forward"),
    ),
    _mistake(
        "parameters-gamma-only",
        "model-parameters",
        Text(
            "A normalisation has two vectors, the gain and the shift; only one is counted.",
            "정규화에는 배율과 이동, 두 벡터가 있는데 하나만 셌습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("norm = 2 * d_model", "norm = d_model"),
    ),
    _mistake(
        "parameters-encoder-only",
        "model-parameters",
        Text(
            "Only the encoder's blocks grow with num_layers. There are as many decoder blocks.",
            "num_layers에 따라 인코더 블록만 늘어납니다. 디코더 블록도 같은 수만큼 있습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("num_layers * (encoder + decoder)", "num_layers * encoder + decoder"),
    ),
    _mistake(
        "parameters-decoder-only",
        "model-parameters",
        Text(
            "Only the decoder's blocks grow with num_layers. There are as many encoder blocks.",
            "num_layers에 따라 디코더 블록만 늘어납니다. 인코더 블록도 같은 수만큼 있습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("num_layers * (encoder + decoder)", "encoder + num_layers * decoder"),
    ),
    _mistake(
        "parameters-two-encoders",
        "model-parameters",
        Text(
            "The decoder block is counted as an encoder block. It has a second attention and a third normalisation.",
            "디코더 블록을 인코더 블록처럼 셌습니다. 디코더 블록에는 둘째 어텐션과 셋째 정규화가 있습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("num_layers * (encoder + decoder)", "num_layers * 2 * encoder"),
    ),
    _mistake(
        "parameters-two-norms-in-the-decoder",
        "model-parameters",
        Text(
            "A decoder block has three normalisations, one for each of its sublayers.",
            "디코더 블록에는 하위 계층마다 하나씩 정규화가 셋 있습니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("feed_forward + 3 * norm", "feed_forward + 2 * norm"),
    ),
    _mistake(
        "parameters-without-attention-output",
        "model-parameters",
        Text(
            "An attention has four projections: query, key, value and the one that mixes the heads at its end.",
            "어텐션의 투영은 넷입니다. 쿼리, 키, 값, 그리고 끝에서 헤드들을 섞는 투영입니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "3 * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "parameters-heads-multiplied",
        "model-parameters",
        Text(
            "The heads share d_model between them: more heads are narrower, and the count stays.",
            "헤드들은 d_model을 나누어 씁니다. 헤드가 늘면 하나하나가 좁아질 뿐 개수는 그대로입니다.",
        ),
        {"parameters-of-a-layer"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "num_heads * 4 * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "parameters-one-embedding",
        "model-parameters",
        Text(
            "Untied, source and target have an embedding each: the vocabulary is there three times, with the output.",
            "공유하지 않으면 소스와 타깃에 임베딩이 하나씩 있습니다. 출력까지 어휘가 세 번 나옵니다.",
        ),
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "table + (table + vocab_size)"),
    ),
    _mistake(
        "parameters-without-output-bias",
        "model-parameters",
        Text(
            "The output Dense has a bias, one number for each token.",
            "출력 Dense에는 편향이 있습니다. 토큰마다 수 하나입니다.",
        ),
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "3 * table"),
    ),
    _mistake(
        "parameters-without-output",
        "model-parameters",
        Text("The output Dense(vocab_size) is missing.", "출력 Dense(vocab_size)가 빠졌습니다."),
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "2 * table"),
    ),
    _mistake(
        "parameters-always-tied",
        "model-parameters",
        Text(
            "It counts one matrix of the vocabulary's size even where the weights aren't tied.",
            "가중치를 공유하지 않을 때도 어휘 크기의 행렬을 하나만 셉니다.",
        ),
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "table"),
    ),
    _mistake(
        "parameters-tie-ignored",
        "model-parameters",
        Text(
            "tie_weights changes nothing in the count: then there is one matrix instead of three.",
            "tie_weights가 개수를 바꾸지 않습니다. 공유할 때는 행렬이 셋이 아니라 하나입니다.",
        ),
        {"parameters-tied"},
        COUNT,
        ("    if tie_weights:\n        vocabulary = table\n    else:\n        vocabulary", "    vocabulary"),
    ),
    _mistake(
        "parameters-tied-embeddings-only",
        "model-parameters",
        Text(
            "Tied, the output uses the embedding matrix too: it has no kernel of its own.",
            "공유하면 출력도 임베딩 행렬을 씁니다. 출력에 자기 커널은 없습니다.",
        ),
        {"parameters-tied"},
        COUNT,
        ("        vocabulary = table\n", "        vocabulary = table + (table + vocab_size)\n"),
    ),
    _mistake(
        "parameters-tied-output-only",
        "model-parameters",
        Text(
            "Tied, there is one matrix for source, target and output, not two.",
            "공유하면 소스, 타깃, 출력에 행렬이 둘이 아니라 하나입니다.",
        ),
        {"parameters-tied"},
        COUNT,
        ("        vocabulary = table\n", "        vocabulary = 2 * table\n"),
    ),
    _mistake(
        "parameters-without-last-norms",
        "model-parameters",
        Text("The normalisations after the two stacks are missing.", "두 스택 뒤의 정규화가 빠졌습니다."),
        {"parameters-whole"},
        COUNT,
        ("+ 2 * norm + vocabulary", "+ vocabulary"),
    ),
    _mistake(
        "parameters-one-last-norm",
        "model-parameters",
        Text(
            "There is a normalisation after each of the two stacks, the encoder's and the decoder's.",
            "정규화는 인코더와 디코더, 두 스택의 뒤에 하나씩 있습니다.",
        ),
        {"parameters-whole"},
        COUNT,
        ("+ 2 * norm + vocabulary", "+ norm + vocabulary"),
    ),
)

MISTAKES = _EMBEDDING_MISTAKES + _CONTINUOUS_MISTAKES + _TOKEN_MISTAKES + _COUNT_MISTAKES
