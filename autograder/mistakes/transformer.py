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


def _mistake(id: str, task: str, hint: str, fails: set[str], right: str, *edits: tuple[str, str]) -> Mistake:
    return Mistake(id, task, Text(hint), _with(right, *edits), frozenset(fails))


SCALE = "        x = x * self.d_model**0.5\n"
ADD = "        x = self.positions(x)\n"
DROP = "        return self.dropout(x, training=training)"

_EMBEDDING_MISTAKES = (
    _mistake(
        "embedding-concatenated",
        "token-embedding",
        "The positions are added to the embedding, feature by feature, not put beside it: the width stays d_model.",
        {"embedding-builds"},
        EMBEDDING,
        (ADD, "        x = ops.concatenate([x, self.positions(0 * x)], axis=-1)\n"),
    ),
    _mistake(
        "embedding-unscaled",
        "token-embedding",
        "The embedding isn't multiplied by the square root of d_model (section 3.4 of the paper).",
        {"embedding-scale"},
        EMBEDDING,
        (SCALE, ""),
    ),
    _mistake(
        "embedding-scaled-by-d-model",
        "token-embedding",
        "The embedding is multiplied by d_model; the factor is its square root.",
        {"embedding-scale"},
        EMBEDDING,
        ("self.d_model**0.5", "self.d_model"),
    ),
    _mistake(
        "embedding-divided",
        "token-embedding",
        "The embedding is divided by the square root of d_model. Dividing is for attention scores; here you multiply.",
        {"embedding-scale"},
        EMBEDDING,
        ("x * self.d_model**0.5", "x / self.d_model**0.5"),
    ),
    _mistake(
        "embedding-scaled-afterwards",
        "token-embedding",
        "The positions are multiplied as well: multiply the embedding first, then add the positions.",
        {"embedding-positions"},
        EMBEDDING,
        (SCALE + ADD, ADD + SCALE),
    ),
    _mistake(
        "embedding-without-positions",
        "token-embedding",
        "No positions are added: the same token gets the same vector everywhere, and attention can't tell order.",
        {"embedding-positions"},
        EMBEDDING,
        (ADD, ""),
    ),
    _mistake(
        "embedding-positions-from-1",
        "token-embedding",
        "The positions begin at 1. The first token gets row 0 of the table.",
        {"embedding-positions"},
        EMBEDDING,
        ("PositionalEncoding(max_len, d_model)", "PositionalEncoding(max_len + 1, d_model)"),
        (ADD, "        x = x + self.positions(ops.pad(0 * x, [[0, 0], [1, 0], [0, 0]]))[:, 1:]\n"),
    ),
    _mistake(
        "embedding-positions-in-halves",
        "token-embedding",
        "All sines stand in the first half of the features and all cosines in the second. In this course, as in the paper, they "
        "alternate: sine in the even columns, cosine in the odd ones.",
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
        "The whole table of max_len rows is added: a shorter sequence needs the first seq_len rows only.",
        {"embedding-positions"},
        EMBEDDING,
        (ADD, "        x = x + self.positions(ops.zeros((1, self.max_len, self.d_model)))\n"),
    ),
    _mistake(
        "embedding-learned-positions",
        "token-embedding",
        "The positions are learned here, a second table of weights. Asked for are the sinusoidal ones, which have none.",
        {"embedding-table", "embedding-positions"},
        EMBEDDING,
        ("PositionalEncoding(max_len, d_model)", "keras.layers.Embedding(max_len, d_model)"),
        (ADD, "        x = x + self.positions(ops.arange(ops.shape(token_ids)[1]))\n"),
    ),
    _mistake(
        "embedding-frozen-table",
        "token-embedding",
        "The table isn't trainable: then no token ever learns what it means.",
        {"embedding-table", "embedding-scale", "embedding-positions", "embedding-dropout"},
        EMBEDDING,
        ("Embedding(vocab_size, d_model)", "Embedding(vocab_size, d_model, trainable=False)"),
    ),
    _mistake(
        "embedding-no-dropout",
        "token-embedding",
        "The sum isn't dropped in training (section 5.4 of the paper).",
        {"embedding-dropout"},
        EMBEDDING,
        (DROP, "        return x"),
    ),
    _mistake(
        "embedding-dropout-always",
        "token-embedding",
        "It drops outside training too. Let Keras pass `training` on, or pass on what `call` gets.",
        {"embedding-dropout"},
        EMBEDDING,
        (DROP, "        return self.dropout(x, training=True)"),
    ),
    _mistake(
        "embedding-dropout-before-positions",
        "token-embedding",
        "Dropout comes before the positions are added. It belongs on the sum of both.",
        {"embedding-dropout"},
        EMBEDDING,
        (ADD + DROP, "        return self.positions(self.dropout(x, training=training))"),
    ),
    _mistake(
        "embedding-dropout-fixed",
        "token-embedding",
        "The rate is 0.1 whatever is asked for: use the argument `dropout`.",
        {"embedding-dropout"},
        EMBEDDING,
        ("keras.layers.Dropout(dropout)", "keras.layers.Dropout(0.1)"),
    ),
    _mistake(
        "embedding-config-without-dropout",
        "token-embedding",
        "get_config leaves the dropout rate out, so a copy has the default rate.",
        {"embedding-config"},
        EMBEDDING,
        (", dropout=self.rate)", ")"),
    ),
    _mistake(
        "embedding-config-empty",
        "token-embedding",
        "get_config must hold every argument of __init__ under its own name.",
        {"embedding-config"},
        EMBEDDING,
        (
            "        config.update(vocab_size=self.vocab_size, d_model=self.d_model, max_len=self.max_len, dropout=self.rate)\n",
            "",
        ),
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
        "The function must return the keras.Model.",
        {"continuous-builds"},
        CONTINUOUS,
        ("    return keras.Model(", "    model = keras.Model("),
    ),
    _mistake(
        "continuous-fixed-length",
        "continuous-model",
        "The target's length is fixed to `timesteps`. Give its Input the length None.",
        {"continuous-lengths"},
        CONTINUOUS,
        ("keras.Input((None, dim))", "keras.Input((timesteps, dim))"),
    ),
    _mistake(
        "continuous-decoder-without-feed-forward",
        "continuous-model",
        "The decoder's feed-forward isn't part of the output: the block returns what went into it, as the lecture's does "
        "(7316 parameters instead of 10588). Add the feed-forward's result to the residual and return that.",
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
        "There is a normalisation after each stack. The token model has them; the lecture's model hasn't.",
        {"continuous-count"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = keras.layers.LayerNormalization()(x)\n"),
        (OUTPUT, "    output = keras.layers.Dense(dim)(keras.layers.LayerNormalization()(x))\n"),
    ),
    _mistake(
        "continuous-last-norm",
        "continuous-model",
        "There is a normalisation after one of the stacks. The lecture's model has none.",
        {"continuous-count"},
        CONTINUOUS,
        (OUTPUT, "    output = keras.layers.Dense(dim)(keras.layers.LayerNormalization()(x))\n"),
    ),
    _mistake(
        "continuous-without-output",
        "continuous-model",
        "The Dense(dim) after the last decoder block is missing.",
        {"continuous-count"},
        CONTINUOUS,
        (OUTPUT, "    output = x\n"),
    ),
    _mistake(
        "continuous-one-block-for-all",
        "continuous-model",
        "One block is called several times. Each block needs weights of its own: make it inside the loop.",
        {"continuous-count"},
        CONTINUOUS,
        (ENCODER_LOOP, "    encoder_block = EncoderBlock(dim, num_heads, ff_dim, dropout)\n" + ENCODER_LOOP),
        (ENCODER_CALL, "encoder_block(x)"),
    ),
    _mistake(
        "continuous-memory-of-the-first-block",
        "continuous-model",
        "The decoder looks at the output of the first encoder block. The memory is the output of the last one.",
        {"continuous-count"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = after_blocks[1]\n"),
    ),
    _mistake(
        "continuous-blocks-exchanged",
        "continuous-model",
        "The numbers of encoder and decoder blocks have changed places.",
        {"continuous-count"},
        CONTINUOUS,
        (ENCODER_LOOP, DECODER_LOOP.replace("for _", "for i")),
        (DECODER_LOOP, ENCODER_LOOP.replace("for _", "for j")),
    ),
    _mistake(
        "continuous-encoder-bypassed",
        "continuous-model",
        "The decoder looks at the source itself. The memory is the output of the last encoder block.",
        {"continuous-count"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = after_blocks[0]\n"),
    ),
    _mistake(
        "continuous-ff-dim-ignored",
        "continuous-model",
        "The feed-forward is 4 * dim wide inside, whatever ff_dim says.",
        {"continuous-count"},
        CONTINUOUS,
        (ENCODER_CALL, "EncoderBlock(dim, num_heads, 4 * dim, dropout)(x)"),
        (DECODER_CALL, "DecoderBlock(dim, num_heads, 4 * dim, dropout)(x, memory, self_mask=mask)"),
    ),
    _mistake(
        "continuous-wide-heads",
        "continuous-model",
        "Each head is as wide as the whole model: key_dim is the width of one head, dim // num_heads.",
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
        "The decoder's self-attention gets no look-ahead mask.",
        {"continuous-causal"},
        CONTINUOUS,
        (DECODER_CALL, "DecoderBlock(dim, num_heads, ff_dim, dropout)(x, memory)"),
    ),
    _mistake(
        "continuous-look-ahead-inverted",
        "continuous-model",
        "The look-ahead mask is upside down: each position sees its future and not its past. Keras's attention_mask is True where "
        "one may look, the mask of this course is 1 where one may not.",
        {"continuous-causal"},
        CONTINUOUS,
        (MASK, "1 - " + MASK),
    ),
    _mistake(
        "continuous-look-ahead-one-step-late",
        "continuous-model",
        "The mask lets each position see one step ahead. What is strictly above the diagonal is hidden.",
        {"continuous-causal"},
        CONTINUOUS,
        (MASK, "ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=2)"),
    ),
    _mistake(
        "continuous-diagonal-hidden",
        "continuous-model",
        "The mask hides the diagonal too. Each position may see itself; without that the first one sees nothing at all.",
        {"continuous-causal"},
        CONTINUOUS,
        (MASK, "ops.triu(ops.ones((ops.shape(x)[1], ops.shape(x)[1])), k=0)"),
    ),
    _mistake(
        "continuous-memory-unused",
        "continuous-model",
        "The second attention of the decoder looks at the target again: hand the encoder's output to it.",
        {"continuous-count", "continuous-memory"},
        CONTINUOUS,
        (DECODER_CALL, "DecoderBlock(dim, num_heads, ff_dim, dropout)(x, x, self_mask=mask, memory_mask=mask)"),
    ),
    _mistake(
        "continuous-memory-of-the-last-step",
        "continuous-model",
        "The decoder sees the encoder's last step only, as in a recurrent network. It should attend to all of them.",
        {"continuous-values"},
        CONTINUOUS,
        ("    memory = x\n", "    memory = x[:, -1:]\n"),
    ),
    _mistake(
        "continuous-decoder-fed-with-the-source",
        "continuous-model",
        "The decoder starts from the source instead of the target.",
        {"continuous-lengths", "continuous-causal"},
        CONTINUOUS,
        ("    x = positions(target)\n", "    x = positions(source)\n"),
    ),
    _mistake(
        "continuous-post-norm",
        "continuous-model",
        "These are post-norm blocks. The lecture's are pre-norm: normalise what goes into each sublayer.",
        {"continuous-values"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("dropout)", POST_NORM)),
        (DECODER_CALL, DECODER_CALL.replace("dropout)", POST_NORM)),
    ),
    _mistake(
        "continuous-one-head",
        "continuous-model",
        "There is one head, whatever num_heads says.",
        {"continuous-values"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("num_heads", "1")),
        (DECODER_CALL, DECODER_CALL.replace("num_heads", "1")),
    ),
    _mistake(
        "continuous-heads-and-width-exchanged",
        "continuous-model",
        "The number of heads and the width of a head have changed places, as in the lecture: 3 heads of 4 instead of 4 of 3. No count "
        "shows it. Name the arguments: num_heads=…, key_dim=….",
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
        "The encoder is causal too. It may look at the whole source; only the decoder's self-attention is masked.",
        {"continuous-values"},
        LECTURE,
        ("(y, y)\n", "(y, y, use_causal_mask=True)\n"),
    ),
    _mistake(
        "continuous-causal-memory",
        "continuous-model",
        "The attention over memory is masked as if it were causal. Each target may look at the whole source.",
        {"continuous-values"},
        LECTURE,
        ("(normed(res), memory)", "(normed(res), memory, use_causal_mask=True)"),
    ),
    _mistake(
        "continuous-relu-output",
        "continuous-model",
        "The last Dense has an activation, so the output can't be negative. It has none.",
        {"continuous-values"},
        CONTINUOUS,
        (OUTPUT, "    output = keras.layers.Dense(dim, activation='relu')(x)\n"),
    ),
    _mistake(
        "continuous-feed-forward-without-residual",
        "continuous-model",
        "The decoder's feed-forward has no residual: add its result to what went in before the normalisation.",
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
        "It drops outside training too: don't pass training=True inside the model.",
        {"continuous-dropout"},
        CONTINUOUS,
        (OUTPUT, "    output = keras.layers.Dense(dim)(keras.layers.Dropout(dropout)(x, training=True))\n"),
    ),
    _mistake(
        "continuous-without-dropout",
        "continuous-model",
        "The argument `dropout` doesn't reach the blocks: nothing is dropped.",
        {"continuous-dropout"},
        CONTINUOUS,
        (ENCODER_CALL, ENCODER_CALL.replace("dropout", "0.0")),
        (DECODER_CALL, DECODER_CALL.replace("dropout", "0.0")),
    ),
    _mistake(
        "continuous-dropout-fixed",
        "continuous-model",
        "The argument `dropout` doesn't reach all blocks: some drop at the default rate.",
        {"continuous-dropout"},
        CONTINUOUS,
        (DECODER_CALL, DECODER_CALL.replace(", dropout", "")),
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
        "The last layer is missing: a Dense(vocab_size) turns d_model features into one score for each token.",
        {"token-builds"},
        TOKENS,
        (LOGITS, "        logits = x\n"),
    ),
    _mistake(
        "token-fixed-length",
        "token-model",
        "The lengths are fixed to max_len: give both Inputs the length None.",
        {"token-lengths", "token-source-padding"},
        TOKENS,
        ('source_ids = keras.Input((None,), dtype="int32")', 'source_ids = keras.Input((max_len,), dtype="int32")'),
        ('target_ids = keras.Input((None,), dtype="int32")', 'target_ids = keras.Input((max_len,), dtype="int32")'),
    ),
    _mistake(
        "token-without-last-norms",
        "token-model",
        "The normalisations after the two stacks are missing: a pre-norm stack ends in an unnormalised sum.",
        {"token-count"},
        TOKENS,
        (NORM_OF_MEMORY, "    memory = x\n"),
        (LAST_NORM, ""),
    ),
    _mistake(
        "token-without-encoder-norm",
        "token-model",
        "One of the two stacks has no normalisation after it. With pre-norm blocks each ends in one.",
        {"token-count"},
        TOKENS,
        (NORM_OF_MEMORY, "    memory = x\n"),
    ),
    _mistake(
        "token-one-embedding",
        "token-model",
        "Source and target share an embedding though tie_weights is False: untied each has its own.",
        {"token-count"},
        TOKENS,
        (SHARED, "embed_source"),
    ),
    _mistake(
        "token-always-tied",
        "token-model",
        "The weights are tied though tie_weights is False.",
        {"token-count"},
        TOKENS,
        (SHARED, "embed_source"),
        ("    if tie_weights:\n" + TIED + "    else:\n" + LOGITS, TIED[4:]),
    ),
    _mistake(
        "token-one-layer",
        "token-model",
        "There is one encoder and one decoder block, or one is called again and again. There should be num_layers of each, with "
        "weights of their own.",
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
        "The feed-forward is 4 * d_model wide inside, whatever ff_dim says.",
        {"token-count"},
        TOKENS,
        (ENCODE, ENCODE.replace("ff_dim", "4 * d_model")),
        (BLOCK, BLOCK.replace("ff_dim", "4 * d_model")),
    ),
    _mistake(
        "token-encoder-bypassed",
        "token-model",
        "The decoder looks at the source's embeddings. The memory is what comes out of the last encoder block.",
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
        "The positions are learned: two more tables of weights. TokenEmbedding adds the sinusoidal ones, which have none.",
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
        "The decoder's self-attention hides the target's padding, but not the future.",
        {"token-causal"},
        TOKENS,
        (TARGET_MASK, "keras.layers.Lambda(create_padding_mask)(target_ids)"),
    ),
    _mistake(
        "token-look-ahead-inverted",
        "token-model",
        "The look-ahead mask is upside down: each position sees its future and not its past. In the masks of this course 1 hides, "
        "in Keras's attention_mask True may be attended.",
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
        "The mask lets each position see one step ahead. What is strictly above the diagonal is hidden.",
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
        "Only the first decoder block gets the look-ahead mask. Every one needs it: one that doesn't have it lets everything through.",
        {"token-causal", "token-target-padding"},
        TOKENS,
        (DECODE, "block(x, memory, self_mask=target_mask if i == 0 else None, memory_mask=source_mask)"),
    ),
    _mistake(
        "token-look-ahead-in-the-last-block",
        "token-model",
        "Only the last decoder block gets the look-ahead mask. Every one needs it: one that doesn't have it lets everything through.",
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
        "The second attention of the decoder looks at the target again: hand the encoder's output to it.",
        {"token-count", "token-source"},
        TOKENS,
        (DECODE, "block(x, x, self_mask=target_mask, memory_mask=target_mask)"),
    ),
    _mistake(
        "token-source-without-positions",
        "token-model",
        "The source gets no positions, so the encoder can't know the order of its tokens.",
        {"token-source"},
        TOKENS,
        (
            EMBED_SOURCE,
            "    x = embed_source(source_ids)\n"
            "    no_positions = keras.layers.Lambda(lambda y: -PositionalEncoding(max_len, d_model)(0 * y))(x)\n"
            "    x = keras.layers.Add()([x, no_positions])\n",
        ),
    ),
    _mistake(
        "token-no-source-mask",
        "token-model",
        "The source's padding isn't hidden anywhere. Hand its mask to the encoder blocks and to the attention over memory.",
        {"token-source-padding"},
        TOKENS,
        (ENCODE, ENCODE.replace("(x, mask=source_mask)", "(x)")),
        (DECODE, "block(x, memory, self_mask=target_mask)"),
    ),
    _mistake(
        "token-no-encoder-mask",
        "token-model",
        "In the encoder the source's padding isn't hidden.",
        {"token-source-padding"},
        TOKENS,
        (ENCODE, ENCODE.replace("(x, mask=source_mask)", "(x)")),
    ),
    _mistake(
        "token-no-memory-mask",
        "token-model",
        "In the attention over memory the source's padding isn't hidden: it needs the source's mask as well.",
        {"token-source-padding"},
        TOKENS,
        (DECODE, "block(x, memory, self_mask=target_mask)"),
    ),
    _mistake(
        "token-target-mask-on-memory",
        "token-model",
        "The attention over memory gets the target's padding mask. Its keys are the source's positions: it needs the source's.",
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
        "The source's mask is upside down: only padding is looked at. 1 hides here, True attends in Keras.",
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
        "The encoder's mask stands on the queries' axis. It belongs on the keys': (batch, 1, 1, seq_len).",
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
        "The decoder's self-attention hides the future, but not the target's padding.",
        {"token-target-padding"},
        TOKENS,
        (TARGET_MASK, ONLY_AHEAD),
    ),
    _mistake(
        "token-softmax",
        "token-model",
        "The model returns probabilities. Leave the softmax out: asked for are the logits, the loss does the rest.",
        {"token-values", "token-post-norm", "token-tied"},
        TOKENS,
        ("    return keras.Model(", "    logits = keras.layers.Softmax()(logits)\n    return keras.Model("),
    ),
    _mistake(
        "token-one-head",
        "token-model",
        "There is one head, whatever num_heads says.",
        {"token-values", "token-post-norm"},
        TOKENS,
        (ENCODE, ENCODE.replace("num_heads", "1")),
        (BLOCK, BLOCK.replace("num_heads", "1")),
    ),
    _mistake(
        "token-heads-and-width-exchanged",
        "token-model",
        "The number of heads and the width of a head have changed places: the count stays, the function doesn't.",
        {"token-values", "token-post-norm"},
        TOKENS,
        (ENCODE, ENCODE.replace("num_heads", "d_model // num_heads")),
        (BLOCK, BLOCK.replace("num_heads", "d_model // num_heads")),
    ),
    _mistake(
        "token-causal-encoder",
        "token-model",
        "The encoder is causal too. It may look at the whole source; only the decoder's self-attention hides the future.",
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
        "The positions are added twice: TokenEmbedding has done it already.",
        {"token-values", "token-post-norm"},
        TOKENS,
        (EMBED_SOURCE, "    x = PositionalEncoding(max_len, d_model)(embed_source(source_ids))\n"),
        (EMBED_TARGET, "    x = PositionalEncoding(max_len, d_model)(embed_target(target_ids))\n"),
    ),
    _mistake(
        "token-embedding-unscaled",
        "token-model",
        "The embeddings aren't multiplied by the square root of d_model: use your TokenEmbedding.",
        {"token-values"},
        TOKENS,
        (EMBED_SOURCE, f"    x = {UNSCALED.format('source')} if not tie_weights else embed_source(source_ids)\n"),
        (EMBED_TARGET, f"    x = {UNSCALED.format('target')} if not tie_weights else embed_target(target_ids)\n"),
    ),
    _mistake(
        "token-always-post-norm",
        "token-model",
        "The blocks are post-norm though norm_first is True: hand norm_first on to them.",
        {"token-values"},
        TOKENS,
        (ENCODE, ENCODE.replace("norm_first", "False")),
        (BLOCK, BLOCK.replace("norm_first", "False")),
    ),
    _mistake(
        "token-norm-first-ignored",
        "token-model",
        "The blocks are pre-norm though norm_first is False: hand norm_first on to them.",
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
        "tie_weights changes nothing: there are still three matrices.",
        {"token-tied"},
        TOKENS,
        (SHARED, "TokenEmbedding(vocab_size, d_model, max_len, dropout)"),
        ("    if tie_weights:\n" + TIED + "    else:\n" + LOGITS, LOGITS[4:]),
    ),
    _mistake(
        "token-tied-embeddings-only",
        "token-model",
        "Source and target share their matrix, but the output has a kernel of its own. It should be x times the matrix, transposed.",
        {"token-tied"},
        TOKENS,
        ("    if tie_weights:\n" + TIED + "    else:\n" + LOGITS, LOGITS[4:]),
    ),
    _mistake(
        "token-tied-output-only",
        "token-model",
        "The output uses the target's matrix, but the source has another one. All three should be one.",
        {"token-tied"},
        TOKENS,
        (SHARED, "TokenEmbedding(vocab_size, d_model, max_len, dropout)"),
    ),
    _mistake(
        "token-tied-copy",
        "token-model",
        "The output's kernel begins as a copy of the embedding matrix, and in training they part. Use the same variable.",
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
        "With tie_weights=True the function raises.",
        {"token-tied"},
        TOKENS,
        (TIED, '        raise ValueError("tie_weights is not supported")\n'),
    ),
    _mistake(
        "token-dropout-always",
        "token-model",
        "It drops outside training too: don't pass training=True inside the model.",
        {"token-dropout"},
        TOKENS,
        (EMBED_TARGET, EMBED_TARGET + "    x = keras.layers.Dropout(dropout)(x, training=True)\n"),
    ),
    _mistake(
        "token-without-dropout",
        "token-model",
        "The argument `dropout` reaches neither the embeddings nor the blocks: nothing is dropped in training.",
        {"token-dropout"},
        TOKENS,
        ("    source_ids = keras.Input((None,)", "    dropout = 0.0\n    source_ids = keras.Input((None,)"),
    ),
    _mistake(
        "token-dropout-fixed",
        "token-model",
        "The argument `dropout` doesn't reach every part: something drops at the default rate.",
        {"token-dropout"},
        TOKENS,
        (ENCODE, "EncoderBlock(d_model, num_heads, ff_dim, norm_first=norm_first)(x, mask=source_mask)"),
    ),
)

_COUNT_MISTAKES = (
    _mistake(
        "parameters-in-thousands",
        "model-parameters",
        "Return the whole number itself, an int.",
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
        "The biases of the attentions and of the feed-forward are missing.",
        {"parameters-of-a-layer"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "4 * d_model * d_model"),
        ("(d_model * ff_dim + ff_dim) + (ff_dim * d_model + d_model)", "2 * d_model * ff_dim"),
    ),
    _mistake(
        "parameters-without-norms",
        "model-parameters",
        "The normalisations in the blocks are missing: each has a gain and a shift of d_model numbers.",
        {"parameters-of-a-layer"},
        COUNT,
        ("feed_forward + 2 * norm", "feed_forward"),
        ("feed_forward + 3 * norm", "feed_forward"),
    ),
    _mistake(
        "parameters-gamma-only",
        "model-parameters",
        "A normalisation has two vectors, the gain and the shift; only one is counted.",
        {"parameters-of-a-layer"},
        COUNT,
        ("norm = 2 * d_model", "norm = d_model"),
    ),
    _mistake(
        "parameters-encoder-only",
        "model-parameters",
        "Only the encoder's blocks grow with num_layers. There are as many decoder blocks.",
        {"parameters-of-a-layer"},
        COUNT,
        ("num_layers * (encoder + decoder)", "num_layers * encoder + decoder"),
    ),
    _mistake(
        "parameters-decoder-only",
        "model-parameters",
        "Only the decoder's blocks grow with num_layers. There are as many encoder blocks.",
        {"parameters-of-a-layer"},
        COUNT,
        ("num_layers * (encoder + decoder)", "encoder + num_layers * decoder"),
    ),
    _mistake(
        "parameters-two-encoders",
        "model-parameters",
        "The decoder block is counted as an encoder block. It has a second attention and a third normalisation.",
        {"parameters-of-a-layer"},
        COUNT,
        ("num_layers * (encoder + decoder)", "num_layers * 2 * encoder"),
    ),
    _mistake(
        "parameters-two-norms-in-the-decoder",
        "model-parameters",
        "A decoder block has three normalisations, one for each of its sublayers.",
        {"parameters-of-a-layer"},
        COUNT,
        ("feed_forward + 3 * norm", "feed_forward + 2 * norm"),
    ),
    _mistake(
        "parameters-without-attention-output",
        "model-parameters",
        "An attention has four projections: query, key, value and the one that mixes the heads at its end.",
        {"parameters-of-a-layer"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "3 * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "parameters-heads-multiplied",
        "model-parameters",
        "The heads share d_model between them: more heads are narrower, and the count stays.",
        {"parameters-of-a-layer"},
        COUNT,
        ("4 * (d_model * d_model + d_model)", "num_heads * 4 * (d_model * d_model + d_model)"),
    ),
    _mistake(
        "parameters-one-embedding",
        "model-parameters",
        "Untied, source and target have an embedding each: the vocabulary is there three times, with the output.",
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "table + (table + vocab_size)"),
    ),
    _mistake(
        "parameters-without-output-bias",
        "model-parameters",
        "The output Dense has a bias, one number for each token.",
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "3 * table"),
    ),
    _mistake(
        "parameters-without-output",
        "model-parameters",
        "The output Dense(vocab_size) is missing.",
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "2 * table"),
    ),
    _mistake(
        "parameters-always-tied",
        "model-parameters",
        "It counts one matrix of the vocabulary's size even where the weights aren't tied.",
        {"parameters-of-a-token"},
        COUNT,
        ("2 * table + (table + vocab_size)", "table"),
    ),
    _mistake(
        "parameters-tie-ignored",
        "model-parameters",
        "tie_weights changes nothing in the count: then there is one matrix instead of three.",
        {"parameters-tied"},
        COUNT,
        ("    if tie_weights:\n        vocabulary = table\n    else:\n        vocabulary", "    vocabulary"),
    ),
    _mistake(
        "parameters-tied-embeddings-only",
        "model-parameters",
        "Tied, the output uses the embedding matrix too: it has no kernel of its own.",
        {"parameters-tied"},
        COUNT,
        ("        vocabulary = table\n", "        vocabulary = table + (table + vocab_size)\n"),
    ),
    _mistake(
        "parameters-tied-output-only",
        "model-parameters",
        "Tied, there is one matrix for source, target and output, not two.",
        {"parameters-tied"},
        COUNT,
        ("        vocabulary = table\n", "        vocabulary = 2 * table\n"),
    ),
    _mistake(
        "parameters-without-last-norms",
        "model-parameters",
        "The normalisations after the two stacks are missing.",
        {"parameters-whole"},
        COUNT,
        ("+ 2 * norm + vocabulary", "+ vocabulary"),
    ),
    _mistake(
        "parameters-one-last-norm",
        "model-parameters",
        "There is a normalisation after each of the two stacks, the encoder's and the decoder's.",
        {"parameters-whole"},
        COUNT,
        ("+ 2 * norm + vocabulary", "+ norm + vocabulary"),
    ),
)

MISTAKES = _EMBEDDING_MISTAKES + _CONTINUOUS_MISTAKES + _TOKEN_MISTAKES + _COUNT_MISTAKES
