"""Hidden grader of 06-transformer.

Models are judged whatever they are made of: by what moves when an input changes, by how many parameters they have, and by value where
every weight can be placed (`models.Alike`). One that can't be compared by value earns those points by the others.
Making a model costs most of the time, so a task's lines share two, and each line gives them its own weights.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Layer,
    Miss,
    Probe,
    expect_close,
    expect_number,
    expect_shape,
    expect_that,
    expect_whole_number,
)

from .._shared.dropout import (
    LONG,
    MANY_ROWS,
    NEARLY_ALL,
    RATIO_OF_MANY,
    STILL,
    TRIES,
    TRIES_OF_MANY,
    expect_decoder_to_drop,
    expect_dropout,
    expect_encoder_to_drop,
    expect_halves_to_drop,
)
from .._shared.layer_lines import share_together
from .._shared.model_expectations import expect_one_of, expect_rows_apart, moves, softmax, still, takes
from .._shared.uniform_weights import Alike, Held, ReadsTokens, Values, is_matrix_of, shaken
from . import reference as oracle

EMBEDDED = "(batch, seq_len, d_model)"
VECTORS = "(batch, target_len, dim)"
LOGITS = "(batch, target_len, vocab_size)"

# Right models differ from the oracle by 1e-5 at most; an output that sees what it must not moves by more than this.
# Of the encoder's, the decoder's and the last norms: the paper's code and this course, PyTorch, Keras; parts may come from anywhere.
_EPSILONS = (1e-6, 1e-5, 1e-3)
EPSILONS = sorted(itertools.product(_EPSILONS, _EPSILONS, _EPSILONS), key=lambda each: len(set(each)))
USUAL = Held()


# --- token-embedding -------------------------------------------------------------------------------------------------


class EmbeddingCase:
    """The student's layer and a table for it; no two sizes are equal."""

    def __init__(self, probe: Probe, draw: Draw, dropout: float = 0.0) -> None:
        self.vocab_size, self.max_len, self.batch = draw.integer(17, 29), draw.integer(9, 13), 3
        self.d_model = draw.choice([6, 8, 14])
        self.layer = probe.layer(
            "TokenEmbedding",
            vocab_size=self.vocab_size,
            d_model=self.d_model,
            max_len=self.max_len,
            dropout=dropout,
        )
        self.table = draw.normal(self.vocab_size, self.d_model)
        self.ids = draw.integers(1, self.vocab_size - 1, self.batch, self.max_len).astype(np.int32)

    def ask(self, ids: Any, **options: Any) -> Array:
        """Return the embedded ids (batch, seq_len), once their shape is right."""
        return expect_shape(self.layer(ids, **options), (*ids.shape, self.d_model), EMBEDDED)

    def fill(self, table: Array) -> None:
        """Build the layer and set its embedding table."""
        self.ask(self.ids)
        values = self.layer.values()
        is_table = [is_matrix_of(weight, *table.shape) for weight, _ in values]
        expect_that(
            any(is_table),
            Text(
                "After the first call there is no trainable weight (vocab_size, d_model).",
                "첫 호출 뒤에 학습되는 가중치 (vocab_size, d_model)이 없습니다.",
            ),
        )
        self.layer.set_values([table if hit else first for hit, (_, first) in zip(is_table, values, strict=True)])


def test_embedding_builds(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.ask(case.ids)


def test_embedding_table(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.ask(case.ids)
    shapes = [weight.shape for weight, _ in case.layer.values() if weight.trainable]
    expect_that(
        (case.vocab_size, case.d_model) in shapes,
        Text(
            "There is no trainable weight (vocab_size, d_model).", "학습되는 가중치 (vocab_size, d_model)이 없습니다."
        ),
    )
    others = [shape for shape in shapes if shape != (case.vocab_size, case.d_model)]
    learned = others == [(case.max_len, case.d_model)]
    expect_that(
        len(shapes) == 1,
        Text(
            f"There are {len(shapes)} trainable weights, but the table is the only one.",
            f"학습되는 가중치가 {len(shapes)}개입니다. 표 하나뿐이어야 합니다.",
        ),
        "embedding-learned-positions" if learned else None,
    )


def test_embedding_scale(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.fill(case.table)
    output = case.ask(case.ids)
    # two tokens at the same position: whatever is added there cancels
    rows = case.table[case.ids[1:]] - case.table[case.ids[:-1]]
    root = math.sqrt(case.d_model)
    expect_close(
        output[1:] - output[:-1],
        root * rows,
        Text("the difference of two tokens at the same position", "같은 위치에 있는 두 토큰의 차이"),
        EMBEDDED,
        {
            "embedding-unscaled": rows,
            "embedding-scaled-by-d-model": case.d_model * rows,
            "embedding-divided": rows / root,
        },
    )
    padded = case.ids[:1].copy()
    padded[0, 0], padded[0, 3] = 0, 0
    of_padding, right = case.ask(padded) - output[:1], root * (case.table[padded] - case.table[case.ids[:1]])
    zeroed = right - root * case.table[padded] * (padded == 0)[..., None]  # as good: attention hides these vectors
    what = Text("the vectors with id 0 between the tokens", "토큰 사이에 ID 0이 있을 때의 벡터")
    if not np.allclose(of_padding, zeroed, atol=STILL):
        expect_close(of_padding, right, what, EMBEDDED)


def test_embedding_positions(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw)
    case.fill(np.zeros_like(case.table))
    whole = oracle.positions(case.max_len + 1, case.d_model)
    halves = np.concatenate([whole[:, 0::2], whole[:, 1::2]], axis=-1)
    for length in (case.max_len, draw.integer(3, case.max_len - 2), 1):
        ids = case.ids[:, :length]
        right = np.broadcast_to(whole[:length], (case.batch, length, case.d_model))
        confusions = {
            "embedding-without-positions": np.zeros_like(right),
            "embedding-scaled-afterwards": right * math.sqrt(case.d_model),
            "embedding-positions-from-1": np.broadcast_to(whole[1 : length + 1], right.shape),
            "embedding-positions-in-halves": np.broadcast_to(halves[:length], right.shape),
        }
        expect_close(
            case.ask(ids),
            right,
            Text("what is added to the embeddings (the table all zeros)", "임베딩에 더해지는 값(표가 모두 0일 때)"),
            EMBEDDED,
            confusions,
        )


def test_embedding_dropout(probe: Probe, draw: Draw) -> None:
    rate = draw.choice([0.35, 0.4, 0.45])
    case = EmbeddingCase(probe, draw, dropout=rate)
    case.fill(case.table)
    ids = np.repeat(case.ids, 8, axis=0)
    plain = case.ask(ids)
    expect_that(
        np.allclose(plain[:8], plain[:1], atol=1e-5),
        Text(
            "Outside training the same ids give different vectors: is something dropped there too?",
            "학습 때가 아닌데도 같은 ID에서 다른 벡터가 나옵니다. 그때도 드롭아웃이 일어나나요?",
        ),
        "embedding-dropout-always",
    )
    # position 0 adds sines of 0: zeros there need not have been dropped
    plain, dropped = plain[:, 1:], case.ask(ids, training=True)[:, 1:]
    expect_that(
        not np.allclose(dropped, plain, atol=1e-5),
        Text("With training=True nothing is dropped.", "training=True인데도 드롭아웃이 일어나지 않습니다."),
        "embedding-no-dropout",
    )
    zeros = dropped == 0
    kept = np.where(zeros, 0, plain / (1 - rate))
    share = float(zeros.mean())
    expect_that(
        share > 0.01,
        Text(
            "With training=True no entry of the sum becomes 0: dropout comes last, after the positions.",
            "training=True일 때 합에서 0이 되는 원소가 없습니다. 드롭아웃은 위치를 더한 뒤, 마지막에 합니다.",
        ),
        "embedding-dropout-before-positions",
    )
    # more than 2000 entries: the share's standard deviation is about 0.01
    expect_that(
        abs(share - rate) < 0.07,
        Text(
            "The share of dropped entries isn't the rate that was given.", "0이 된 원소의 비율이 받은 비율과 다릅니다."
        ),
        "embedding-dropout-fixed" if abs(share - 0.1) < 0.05 else None,
    )
    expect_that(
        max(share_together(zeros, axis) for axis in range(3)) < 0.5,
        Text(
            "What is dropped is dropped for whole sequences, tokens or batches: each entry should be drawn by itself.",
            "시퀀스나 토큰, 배치 전체에서 한꺼번에 0이 됩니다. 원소마다 따로 뽑아야 합니다.",
        ),
        "embedding-dropout-in-one-piece",
    )
    expect_that(
        bool(np.allclose(dropped, kept, rtol=1e-3, atol=1e-3)),
        Text(
            "In training the kept entries should be divided by 1 - rate, as Keras's Dropout does.",
            "학습 때 남은 원소는 케라스의 Dropout처럼 1 - rate로 나누어야 합니다.",
        ),
    )
    expect_that(
        not np.array_equal(zeros, case.ask(ids, training=True)[:, 1:] == 0),
        Text("Each call in training drops the same entries.", "학습할 때 호출마다 같은 원소가 0이 됩니다."),
        "embedding-dropout-same-each-time",
    )
    usual = probe.layer("TokenEmbedding", case.vocab_size, case.d_model, case.max_len)
    share = float((expect_shape(usual(ids, training=True), (*ids.shape, case.d_model), EMBEDDED)[:, 1:] == 0).mean())
    expect_that(
        abs(share - 0.1) < 0.06,
        Text("Without `dropout` its rate is not 0.1.", "`dropout`을 주지 않았을 때의 비율이 0.1이 아닙니다."),
        "embedding-other-default-rate",
    )


def test_embedding_config(probe: Probe, draw: Draw) -> None:
    rate = draw.choice([0.4, 0.5])
    case = EmbeddingCase(probe, draw, dropout=rate)
    expected, again = case.ask(case.ids), case.ask(case.ids)
    values = [first for _, first in case.layer.values()]

    def share_of_zeros() -> float:
        return float((case.ask(np.repeat(case.ids, 8, axis=0), training=True)[:, 1:] == 0).mean())

    def takes_longer() -> bool:
        longer = np.concatenate([case.ids, case.ids[:, :1]], axis=1)
        try:
            case.ask(longer)
        except (AnswerRaised, Miss):
            return False
        return True

    own_share, own_limit = share_of_zeros(), not takes_longer()
    try:
        case.layer = case.layer.clone()
        case.ask(case.ids)
        case.layer.set_values(values)
        output = case.ask(case.ids)
        share = share_of_zeros()
    except AnswerError as error:
        if isinstance(error, AnswerRaised) and "NotImplementedError" in error.kinds:
            raise
        text = Text(
            "In `from_config(get_config())`: does get_config hold every argument under its own name?",
            "`from_config(get_config())`에서: get_config에 모든 인수가 제 이름으로 들어 있나요?",
        )
        raise Miss(text + error.text) from None
    if np.allclose(expected, again):  # one that always drops has lost its points in another line
        expect_close(
            output,
            expected,
            Text("the output of the layer made from the config", "config로 다시 만든 계층의 출력"),
            EMBEDDED,
        )
    expect_that(
        abs(share - own_share) < 0.15,
        Text(
            "The layer made from the config has another dropout rate.",
            "config로 다시 만든 계층의 드롭아웃 비율이 다릅니다.",
        ),
        "embedding-config-without-dropout",
    )
    expect_that(
        not (own_limit and takes_longer()),
        Text("The layer made from the config has another max_len.", "config로 다시 만든 계층의 max_len이 다릅니다."),
        "embedding-config-other-max-len",
    )


# --- what both models share ------------------------------------------------------------------------------------------


class Model:
    """A model of the student's, made once a task, with numbers for its weights that are this line's own.

    Attributes:
        values: its weights and their first values.
        alike: the numbers; `matches` says whether they could be placed.
        moved: how many times numbers were set.
    """

    def __init__(
        self,
        probe: Probe,
        draw: Draw,
        function: str,
        sizes: Mapping[str, Any],
        example: list[Any],
        alike: tuple[int, ...],
    ) -> None:
        def made() -> tuple[Layer, Values]:
            model = probe.build(function, **sizes)
            model(example)  # a subclass has no weights before its first call
            return model, model.values()

        self.model, self.values = probe.once(f"{function} {sizes}", made)
        self.alike = Alike(draw, *alike, num_heads=sizes["num_heads"])
        filled = self.alike.fill(self.values)
        self.matches = filled is not None
        self.numbers = shaken(self.values, draw) if filled is None else filled
        if self.values:
            self.model.set_values(self.numbers)

    def readings(self) -> Iterator[tuple[tuple[float, float, float], Held]]:
        """Yield which epsilons and which ways of holding numbers are right, the likeliest first."""
        for held in self.alike.ways(self.values):
            yield from ((each, held) for each in EPSILONS if held == USUAL or len(set(each)) == 1)

    def count(self) -> int:
        """Return the number of trainable parameters, each variable once."""
        return sum(first.size for weight, first in self.values if weight.trainable)

    def with_vector_of_padding(self, vocab_size: int, d_model: int, row: Array) -> bool:
        """Give id 0 another row in every embedding table; False if there is no table."""
        changed, found = [], False
        for (weight, _), numbers in zip(self.values, self.numbers, strict=True):
            is_table = is_matrix_of(weight, vocab_size, d_model)
            changed.append(np.concatenate([row[None], numbers[1:]]) if is_table else numbers)
            found = found or is_table
        self.model.set_values(changed)
        return found


def expect_causal(moved: Array, blocks: int, prefix: str) -> None:
    """Miss unless no output moves with a later input and each moves with its own.

    Args:
        moved: (output positions, input positions).
        blocks: how many decoder blocks there are: each carries a leak one step further.
        prefix: of the ids of mistakes.
    """
    expect_that(bool(np.isfinite(moved).all()), Text("There is a NaN in the output.", "출력에 NaN이 있습니다."))
    length = len(moved)
    leaks = np.triu(moved > STILL, k=1)
    if leaks.any():
        past = np.tril(moved > STILL, k=-1)
        band = np.triu(np.ones_like(moved), k=blocks + 1) == 1
        mistake = None
        if not past.any():
            mistake = f"{prefix}-look-ahead-inverted"
        elif not (leaks & band).any() and length > blocks + 2:
            mistake = f"{prefix}-look-ahead-one-step-late"
        raise Miss(
            Text(
                "An output changes when only a later target changes: the decoder isn't causal.",
                "뒤의 타깃만 바꾸었는데 출력이 달라집니다. 디코더가 인과적이지 않습니다.",
            ),
            mistake,
        )
    expect_that(
        bool((np.diagonal(moved) > STILL).all()),
        Text(
            "An output doesn't change with the target at its own position: each position sees itself.",
            "자기 자리의 타깃이 바뀌어도 그대로인 출력이 있습니다. 위치마다 자기 자신은 보아야 합니다.",
        ),
    )
    expect_that(
        bool((moved[-1] > 1e-5).all()),
        Text(
            "The last output doesn't change with every earlier target: too much is hidden.",
            "앞의 타깃 가운데 바뀌어도 마지막 출력이 그대로인 것이 있습니다. 너무 많이 가렸습니다.",
        ),
    )


# --- continuous-model ------------------------------------------------------------------------------------------------

CONTINUOUS: dict[str, Any] = dict(
    timesteps=5, dim=12, num_heads=3, ff_dim=10, num_encoder_blocks=2, num_decoder_blocks=1, dropout=0.0
)
DROPPING: dict[str, Any] = dict(
    timesteps=4, dim=8, num_heads=2, ff_dim=14, num_encoder_blocks=1, num_decoder_blocks=2, dropout=0.5
)
SMALL: dict[str, Any] = dict(timesteps=3, dim=8, num_heads=2, ff_dim=6, num_encoder_blocks=1, num_decoder_blocks=1)


class Continuous(Model):
    """The lecture's model of the sizes `sizes`."""

    def __init__(self, probe: Probe, draw: Draw, sizes: Mapping[str, Any] = CONTINUOUS) -> None:
        self.sizes = sizes
        self.timesteps, self.dim = sizes["timesteps"], sizes["dim"]
        example = [np.zeros((2, self.timesteps, self.dim), np.float32)] * 2
        super().__init__(probe, draw, "build_continuous_transformer", sizes, example, (self.dim, sizes["ff_dim"]))

    def ask(self, source: Array, target: Array, **options: Any) -> Array:
        """Return the output, once its shape is right."""
        answer = self.model([source, target], **options)
        return expect_shape(answer, (len(target), target.shape[1], self.dim), VECTORS)

    def is_steady(self, draw: Draw) -> bool:
        """Whether the same inputs give the same output again: one that always drops has lost its points in another line."""
        inputs = draw.normal(2, 2, self.timesteps, self.dim)
        return bool(np.allclose(self.ask(*inputs), self.ask(*inputs), atol=STILL))

    def oracle_weights(
        self, epsilons: tuple[float, float, float] = EPSILONS[0], held: Held = USUAL
    ) -> oracle.TransformerWeights:
        """Return the oracle's weights."""
        blocks = self.sizes["num_encoder_blocks"], self.sizes["num_decoder_blocks"]
        return self.alike.weights(*blocks, epsilons=epsilons, held=held)


def test_continuous_builds(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    model.ask(draw.normal(3, model.timesteps, model.dim), draw.normal(3, model.timesteps, model.dim))


def test_continuous_lengths(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    source = draw.normal(2, model.timesteps, model.dim)
    for length in (draw.choice([2, 3, 4]), draw.choice([7, 8, 9]), draw.integer(30, 60)):
        model.ask(source, draw.normal(2, length, model.dim))


def test_continuous_count(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    dim, inner, encoders, decoders = (
        CONTINUOUS[n] for n in ("dim", "ff_dim", "num_encoder_blocks", "num_decoder_blocks")
    )
    right = oracle.continuous_parameter_count(dim, inner, encoders, decoders)
    one_feed_forward = dim * inner + inner + inner * dim + dim
    if model.count() == right:
        dim, inner, encoders, decoders = (
            DROPPING[n] for n in ("dim", "ff_dim", "num_encoder_blocks", "num_decoder_blocks")
        )
        expect_number(
            Continuous(probe, draw, DROPPING).count(),
            oracle.continuous_parameter_count(dim, inner, encoders, decoders),
            Text("the number of parameters with several decoder blocks", "디코더 블록이 여러 개일 때 파라미터 수"),
            {"continuous-one-decoder-block-for-all": oracle.continuous_parameter_count(dim, inner, encoders, 1)},
            tolerance=0.0,
        )
        return
    expect_number(
        model.count(),
        right,
        Text("the number of parameters", "파라미터 수"),
        {
            "continuous-decoder-without-feed-forward": right - decoders * (one_feed_forward + 2 * dim),
            "continuous-last-norms": right + 2 * 2 * dim,
            "continuous-last-norm": right + 2 * dim,
            "continuous-without-output": right - dim * dim - dim,
            "continuous-one-block-for-all": oracle.continuous_parameter_count(dim, inner, 1, 1),
            "continuous-blocks-exchanged": oracle.continuous_parameter_count(dim, inner, decoders, encoders),
            "continuous-memory-of-the-first-block": oracle.continuous_parameter_count(dim, inner, 1, decoders),
            encoder_unused(model, draw): oracle.continuous_parameter_count(dim, inner, 0, decoders),
            "continuous-ff-dim-ignored": oracle.continuous_parameter_count(dim, 4 * dim, encoders, decoders),
            "continuous-wide-heads": right
            + (encoders + 2 * decoders) * (CONTINUOUS["num_heads"] - 1) * (4 * dim**2 + 3 * dim),
        },
        tolerance=0.0,
    )


def encoder_unused(model: Continuous, draw: Draw) -> str:
    """Return which mistake leaves the encoder out: does the decoder look at the source instead, or at nothing of it?"""
    source = draw.normal(2, model.timesteps, model.dim)
    outputs = model.ask(source, np.repeat(draw.normal(1, model.timesteps, model.dim), 2, axis=0))
    return (
        "continuous-encoder-bypassed" if np.abs(outputs[0] - outputs[1]).max() > STILL else "continuous-memory-unused"
    )


def test_continuous_causal(probe: Probe, draw: Draw) -> None:
    def moved(model: Continuous) -> Array:
        target, other = draw.normal(2, model.timesteps, model.dim)
        source = np.repeat(draw.normal(1, model.timesteps, model.dim), len(target) + 1, axis=0)
        return moves(lambda rows: model.ask(source, rows), target, other)

    expect_causal(moved(Continuous(probe, draw)), CONTINUOUS["num_decoder_blocks"], "continuous")
    second = Continuous(probe, draw, DROPPING)
    if second.is_steady(draw):
        try:
            expect_causal(moved(second), DROPPING["num_decoder_blocks"], "continuous")
        except Miss as miss:
            raise Miss(miss.text, "continuous-look-ahead-in-one-block") from None


def test_continuous_memory(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    source, other = draw.normal(2, model.timesteps, model.dim)
    target = np.repeat(draw.normal(1, model.timesteps, model.dim), len(source) + 1, axis=0)
    moved = moves(lambda rows: model.ask(rows, target), source, other)
    expect_that(
        bool((moved > 1e-6).any()),
        Text("No output changes with the source.", "소스가 바뀌어도 출력이 모두 그대로입니다."),
        "continuous-memory-unused",
    )
    expect_that(
        bool((moved > 1e-6).all()),
        Text(
            "Some output doesn't change with some step of the source.",
            "소스의 어떤 자리가 바뀌어도 그대로인 출력이 있습니다.",
        ),
    )


def test_continuous_dropout(probe: Probe, draw: Draw) -> None:
    without = Continuous(probe, draw)
    expect_dropout(
        without,
        Continuous(probe, draw, DROPPING),
        lambda model: list(np.repeat(draw.normal(2, 1, model.timesteps, model.dim), 4, axis=1)),
        "continuous",
    )
    expect_dropout_everywhere(probe, draw)


def expect_dropout_everywhere(probe: Probe, draw: Draw) -> None:
    """Miss if parts of the continuous model never drop anything; what is wrong without dropout costs another line."""
    for tries_left in reversed(range(TRIES)):
        noisy = Continuous(probe, draw, {**SMALL, "timesteps": 1, "dropout": 0.5})
        if not is_right(noisy, draw):
            return
        try:
            expect_encoder_to_drop(
                lambda source, target, training, model=noisy: model.ask(source, target, training=training),
                oracle.positions(LONG, noisy.dim),
                draw,
            )
            break
        except Miss:  # with one set of weights in 10 000 what the encoder drops is hardly felt
            if not tries_left:
                raise
    hollow = Continuous(probe, draw, {**SMALL, "num_decoder_blocks": 2, "dropout": NEARLY_ALL})
    if is_right(hollow, draw):
        expect_decoder_to_drop(lambda source, target: hollow.ask(source, target, training=True), hollow.dim, draw)


def is_right(model: Continuous, draw: Draw) -> bool:
    """Whether numbers could be placed in all weights and the model then gives what the oracle gives, at two lengths."""
    if not model.matches:
        return False
    try:
        model.ask(draw.normal(2, model.timesteps, model.dim), draw.normal(2, LONG, model.dim))
        expect_values(model, draw)
    except (AnswerError, Miss):
        return False
    return True


def test_continuous_values(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    expect_values(model, draw)
    for length in (model.timesteps - 2, model.timesteps + 3):
        if takes(lambda: model.ask(draw.normal(1, model.timesteps, model.dim), draw.normal(1, length, model.dim))):  # noqa: B023
            expect_values(model, draw, length)
    second = Continuous(probe, draw, DROPPING)
    if second.is_steady(draw):
        expect_values(second, draw)


def expect_values(model: Continuous, draw: Draw, target_len: int = 0) -> None:
    """Miss unless the model gives what the oracle gives, or alone what it gives in a batch if it can't be compared.

    The target has as many steps as the source unless `target_len` says how many.
    """
    source = draw.normal(3, model.timesteps, model.dim)
    target = draw.normal(3, target_len or model.timesteps, model.dim)
    output = model.ask(source, target)
    if not model.matches:
        expect_rows_apart(lambda rows: model.ask(source[rows], target[rows]), output)
        return
    heads = model.sizes["num_heads"]
    right = (
        oracle.continuous_transformer(source, target, model.oracle_weights(*reading), heads, with_positions)
        for reading in model.readings()
        for with_positions in (True, False)
    )

    def wrong() -> dict[str, Array]:
        if source.shape != target.shape:  # the known mistakes are computed for these
            return {}
        weights = model.oracle_weights()
        kept = [oracle.positions(x.shape[1], model.dim) for x in (source, target)]
        found: dict[str, Array] = {}
        for added in (1.0, 0.0):
            x_source, x_target = source + added * kept[0], target + added * kept[1]
            ahead = oracle.look_ahead(target.shape[1])

            def whole(
                memory: Array, blocks: Any = weights.decoder, start: Array = x_target, num_heads: int = heads
            ) -> Array:
                return weights.output(oracle.decode(start, memory, blocks, num_heads, ahead))  # noqa: B023

            memory = oracle.encode(x_source, weights.encoder, heads)
            variants = {
                "continuous-one-head": whole(oracle.encode(x_source, weights.encoder, 1), num_heads=1),
                "continuous-heads-and-width-exchanged": whole(
                    oracle.encode(x_source, weights.encoder, model.dim // heads), num_heads=model.dim // heads
                ),
                "continuous-memory-of-the-first-block": whole(oracle.encode(x_source, weights.encoder[:1], heads)),
                "continuous-memory-of-the-last-step": whole(memory[:, -1:]),
                "continuous-encoder-bypassed": whole(x_source),
                "continuous-decoder-fed-with-the-source": whole(memory, start=x_source),
                "continuous-causal-encoder": whole(
                    oracle.encode(x_source, weights.encoder, heads, oracle.look_ahead(source.shape[1]))
                ),
                "continuous-post-norm": weights.output(
                    oracle.decode(
                        x_target,
                        oracle.encode(x_source, weights.encoder, heads, norm_first=False),
                        weights.decoder,
                        heads,
                        ahead,
                        norm_first=False,
                    )
                ),
            }
            found |= {name if name not in found else f"{name} without positions": v for name, v in variants.items()}
        return {name: value for name, value in found.items() if value.shape == output.shape}

    try:
        expect_one_of(
            output,
            right,
            Text("the output for weights of the grader's", "채점용 가중치를 넣은 모델의 출력"),
            VECTORS,
            wrong,
        )
    except Miss as miss:
        raise Miss(miss.text, miss.mistake and miss.mistake.removesuffix(" without positions")) from None


# --- token-model -----------------------------------------------------------------------------------------------------

TOKENS: dict[str, Any] = dict(vocab_size=23, max_len=11, num_layers=2, d_model=12, num_heads=3, ff_dim=10, dropout=0.0)
OTHER: dict[str, Any] = dict(vocab_size=19, max_len=9, num_layers=1, d_model=8, num_heads=2, ff_dim=14, dropout=0.4)


class Token(ReadsTokens, Model):
    """The model over tokens of the sizes `sizes`."""

    def __init__(self, probe: Probe, draw: Draw, sizes: Mapping[str, Any] = TOKENS, **options: Any) -> None:
        self.sizes = {**sizes, **options}
        self.vocab_size, self.max_len, self.d_model = (sizes[n] for n in ("vocab_size", "max_len", "d_model"))
        example = [np.ones((2, self.max_len), np.int32)] * 2
        alike = (self.d_model, sizes["ff_dim"], self.vocab_size)
        super().__init__(probe, draw, "build_transformer", self.sizes, example, alike)

    def ask(self, source_ids: Any, target_ids: Any, **options: Any) -> Array:
        """Return the logits, once their shape is right."""
        answer = self.model([source_ids, target_ids], **options)
        return expect_shape(answer, (*np.shape(target_ids), self.vocab_size), LOGITS)

    def has_output_bias(self) -> bool:
        """Whether there is a bias of the vocabulary's size."""
        return any(weight.shape == (self.vocab_size,) for weight, _ in self.values)

    def has_output_kernel(self) -> bool:
        """Whether the output has a matrix of its own; else it can only use an embedding's."""
        return (self.d_model, self.vocab_size) in self.matrices()

    def matrices(self) -> list[tuple[int, ...]]:
        """Return the shapes of the matrices of the vocabulary's size."""
        sizes = sorted((self.vocab_size, self.d_model))
        return [weight.shape for weight, _ in self.values if weight.trainable and sorted(weight.shape) == sizes]

    def oracle_weights(
        self, epsilons: tuple[float, float, float] = EPSILONS[0], held: Held = USUAL, last_norms: bool = True
    ) -> oracle.TransformerWeights:
        """Return the oracle's weights."""
        layers = self.sizes["num_layers"]
        return self.alike.weights(
            layers,
            layers,
            epsilons=epsilons,
            last_norms=last_norms,
            tied=not self.has_output_kernel(),
            output_bias=self.has_output_bias(),
            held=held,
        )


def second_model(probe: Probe, draw: Draw, needed: str) -> Token:
    """Return the model that is post-norm, tied and with dropout; only what is `needed` of the two if both don't work."""
    options = {"norm_first": False, "tie_weights": True}
    try:
        return Token(probe, draw, OTHER, **options)
    except AnswerError:
        return Token(probe, draw, OTHER, **({needed: options[needed]} if needed else {}))


def test_token_builds(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    logits = model.ask(model.ids(draw, 2), model.ids(draw, 2))
    expect_that(
        bool(np.isfinite(logits).all()),
        Text("There is a NaN or an infinity in the logits.", "로짓에 NaN이나 무한대가 있습니다."),
    )


def test_token_lengths(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    short, shorter = draw.distinct(2, 3, 8)
    for source_len, target_len in ((short, shorter), (model.max_len, 1)):
        logits = model.ask(model.ids(draw, 2, source_len), model.ids(draw, 2, target_len))
        expect_that(
            bool(np.isfinite(logits).all()),
            Text("There is a NaN or an infinity in the logits.", "로짓에 NaN이나 무한대가 있습니다."),
        )


def test_token_count(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    vocab_size, layers, d, heads, inner = sizes = tuple(
        TOKENS[name] for name in ("vocab_size", "num_layers", "d_model", "num_heads", "ff_dim")
    )
    right = oracle.transformer_parameter_count(*sizes)
    table = vocab_size * d
    confusions = {
        "token-without-last-norms": right - 2 * 2 * d,
        "token-without-encoder-norm": right - 2 * d,
        "token-one-embedding": right - table,
        "token-always-tied": oracle.transformer_parameter_count(*sizes, tie_weights=True),
        "token-one-layer": oracle.transformer_parameter_count(vocab_size, 1, d, heads, inner),
        "token-ff-dim-ignored": oracle.transformer_parameter_count(vocab_size, layers, d, heads, 4 * d),
        "token-encoder-bypassed": right - layers * oracle.block_parameter_count(d, inner, 1),
        "token-learned-positions": right + 2 * model.max_len * d,
    }
    if not model.has_output_bias() and model.count() == right - vocab_size:
        return  # an output without bias is as good
    expect_number(model.count(), right, Text("the number of parameters", "파라미터 수"), confusions, tolerance=0.0)


def test_token_causal(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    (target,) = model.ids(draw, 1)
    source = np.repeat(model.ids(draw, 1), len(target) + 1, axis=0)
    base: list[Array] = []

    def ask(rows: np.ndarray) -> Array:
        logits = model.ask(source, rows)
        base.append(logits[-1:])
        return logits

    moved = moves(ask, target, model.others(draw, target))
    try:
        expect_causal(moved, TOKENS["num_layers"], "token")
    except Miss as miss:
        mistake = miss.mistake
        if mistake is None and model.matches:
            mistake = wrong_look_ahead(model, source[:1], target[None], base[0])
        raise Miss(miss.text, mistake) from None


def wrong_look_ahead(model: Token, source: np.ndarray, target: np.ndarray, logits: Array) -> str | None:
    """Return which known mistake about the look-ahead mask gives these logits; nothing is padding."""
    weights, heads = model.oracle_weights(), model.sizes["num_heads"]
    ahead, none = oracle.look_ahead(target.shape[1]), np.zeros((1, 1, 1), bool)
    memory = oracle.encode(
        oracle.embed(source, weights.source_table), weights.encoder, heads, last=weights.encoder_norm
    )

    def by(*hidden: Any) -> Callable[[], Array]:
        def logits_of() -> Array:
            x = oracle.embed(target, weights.target_table)
            for block, hides in zip(weights.decoder, hidden, strict=True):
                x = oracle.decode(x, memory, [block], heads, hides)
            return weights.output(x if weights.decoder_norm is None else oracle.normalise(x, weights.decoder_norm))

        return logits_of

    variants = {
        "token-no-look-ahead": by(none, none),
        "token-look-ahead-inverted": by(~ahead, ~ahead),
        "token-look-ahead-in-the-first-block": by(ahead, none),
        "token-look-ahead-in-the-last-block": by(none, ahead),
    }
    return named(logits, variants)


def test_token_source(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    (source,) = model.ids(draw, 1)
    source = (1 + (source[0] + np.arange(len(source))) % (model.vocab_size - 1)).astype(np.int32)  # no two alike
    turned = np.concatenate([source[2:], source[:2]])
    rows = np.concatenate([np.repeat(source[None], 4, axis=0), turned[None]])
    places = (0, draw.integer(1, len(source) - 2), len(source) - 1)
    for row, place in zip(rows, places, strict=False):
        row[place] = model.others(draw, row)[place]
    target = np.repeat(model.ids(draw, 1), len(rows), axis=0)
    logits = model.ask(rows, target)
    moved = np.abs(logits - logits[3]).max(axis=(1, 2))
    if moved[:3].max() <= STILL:
        text = Text("No logit changes with the source.", "소스가 바뀌어도 로짓이 모두 그대로입니다.")
        raise Miss(text, None if sees_source_alone(model, rows, target) else "token-memory-unused")
    expect_that(
        bool((moved[:3] > 1e-6).all()),
        Text(
            "No logit changes with some token of the source.", "소스의 어떤 토큰은 바뀌어도 로짓이 모두 그대로입니다."
        ),
    )
    expect_that(
        bool(moved[4] > STILL),
        Text(
            "The source's tokens in another order give the same logits: does the source have positions?",
            "소스의 토큰 순서를 바꾸어도 로짓이 같습니다. 소스에 위치를 더했나요?",
        ),
        "token-source-without-positions",
    )


def sees_source_alone(model: Token, sources: np.ndarray, targets: np.ndarray) -> bool:
    """Whether two sources, each in a batch of its own, give other logits: a model may look at a batch's first source alone."""
    first, last = (model.ask(sources[[row]], targets[:1]) for row in (0, -1))
    return bool(np.abs(first - last).max() > STILL)


def test_token_source_padding(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    first, second = draw.distinct(2, 2, 5)
    source[0, -first:] = 0
    source[1, -second:] = source[1, 1] = 0
    logits = model.ask(source, target)
    seen = Text(
        "Logits change when nothing but the vector of id 0 changes, with padding in the source: somewhere padding isn't hidden.",
        "소스에 패딩이 있을 때 ID 0의 벡터만 바꾸었는데 로짓이 달라집니다. 어딘가에서 패딩을 가리지 않았습니다.",
    )
    if model.with_vector_of_padding(model.vocab_size, model.d_model, draw.normal(model.d_model)):
        changed = model.ask(source, target)
        if not still(logits, changed):
            raise Miss(seen, wrong_source_mask(model, source, target))
        model.model.set_values(model.numbers)
        expect_source_padding_unseen(probe, draw)
    expect_close(
        logits[:1],
        model.ask(source[:1, :-first], target[:1]),
        Text("the logits after more padding at the end of the source", "소스의 끝에 패딩을 더 붙였을 때의 로짓"),
        LOGITS,
    )


def expect_source_padding_unseen(probe: Probe, draw: Draw) -> None:
    """Miss if the second model sees the source's padding; what else is wrong with it costs another line."""
    model = right_second_model(probe, draw)
    if model is None:
        return
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    source[:, [1, -1]] = 0
    logits = model.ask(source, target, training=False)
    model.with_vector_of_padding(model.vocab_size, model.d_model, draw.normal(model.d_model))
    changed = model.ask(source, target, training=False)
    text = Text(
        "With norm_first=False and tie_weights=True the source's padding isn't hidden everywhere: logits change when "
        "nothing but the vector of id 0 changes.",
        "norm_first=False이고 tie_weights=True일 때 소스의 패딩을 어딘가에서 가리지 않았습니다. "
        "ID 0의 벡터만 바꾸었는데 로짓이 달라집니다.",
    )
    expect_that(still(logits, changed), text, "token-padding-seen-in-post-norm")


def token_variant(
    model: Token,
    source: np.ndarray,
    target: np.ndarray,
    encoder_hidden: Any,
    memory_hidden: Any,
    target_hidden: Any = None,
) -> Array:
    """Return the logits under other masks."""
    weights, heads = model.oracle_weights(), model.sizes["num_heads"]
    if target_hidden is None:
        target_hidden = oracle.padding(target) | oracle.look_ahead(target.shape[1])
    memory = oracle.encode(
        oracle.embed(source, weights.source_table), weights.encoder, heads, encoder_hidden, True, weights.encoder_norm
    )
    x = oracle.embed(target, weights.target_table)
    x = oracle.decode(x, memory, weights.decoder, heads, target_hidden, memory_hidden, True, weights.decoder_norm)
    return weights.output(x)


def named(logits: Array, variants: Mapping[str, Callable[[], Array]], where: Any = ...) -> str | None:
    """Return the only mistake whose logits are the student's."""
    hits = [
        name
        for name, variant in variants.items()
        if np.allclose(logits[where], variant()[where], rtol=STILL, atol=STILL)
    ]
    return hits[0] if len(hits) == 1 else None


def wrong_source_mask(model: Token, source: np.ndarray, target: np.ndarray) -> str | None:
    """Return which known mistake about the source's padding the model makes."""
    if not model.matches:
        return None
    target = target.copy()
    target[:, -1] = 0  # another mask than the source's
    model.model.set_values(model.numbers)
    logits = model.ask(source, target)
    pads, none = oracle.padding(source), np.zeros((1, 1, 1), bool)

    def by(encoder: Any, memory: Any) -> Callable[[], Array]:
        return lambda: token_variant(model, source, target, encoder, memory)

    return named(
        logits,
        {
            "token-no-source-mask": by(none, none),
            "token-no-encoder-mask": by(none, pads),
            "token-no-memory-mask": by(pads, none),
            "token-source-mask-inverted": by(~pads, ~pads),
            "token-target-mask-on-memory": by(pads, oracle.padding(target)),
        },
        np.s_[:, :-1],
    )


def test_token_target_padding(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    target[0, draw.distinct(2, 1, model.max_len - 3)] = 0
    target[1, [2, -1]] = 0
    logits = model.ask(source, target)
    expect_that(
        bool(np.isfinite(logits).all()),
        Text("With padding in the target there is a NaN in the logits.", "타깃에 패딩이 있으면 로짓에 NaN이 생깁니다."),
    )
    if not model.with_vector_of_padding(model.vocab_size, model.d_model, draw.normal(model.d_model)):
        return
    changed = model.ask(source, target)
    tokens = target != 0
    if still(logits[tokens], changed[tokens]):
        return
    ahead = oracle.look_ahead(target.shape[1])
    variants = {
        "token-no-target-mask": lambda: token_variant(
            model, source, target, oracle.padding(source), oracle.padding(source), ahead
        )
    }
    mistake = named(logits, variants, tokens) if model.matches else None
    raise Miss(
        Text(
            "Logits of tokens change when nothing but the vector of id 0 changes, with padding between the targets.",
            "타깃 사이에 패딩이 있을 때 ID 0의 벡터만 바꾸었는데 토큰들의 로짓이 달라집니다.",
        ),
        mistake,
    )


def test_token_values(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    expect_pre_norm(model, model.ids(draw, 2), model.ids(draw, 2))
    shorter = [model.ids(draw, 2, length) for length in draw.distinct(2, 3, model.max_len - 2)]
    if takes(lambda: model.ask(*shorter)):
        expect_pre_norm(model, *shorter)


def expect_pre_norm(model: Token, source: np.ndarray, target: np.ndarray) -> None:
    """Miss unless the first model gives what the oracle gives, or alone what it gives in a batch if it can't be compared."""
    logits = model.ask(source, target)
    if not model.matches:
        expect_rows_apart(lambda rows: model.ask(source[rows], target[rows]), logits)
        return
    heads = TOKENS["num_heads"]
    right = (oracle.token_transformer(source, target, model.oracle_weights(*each), heads) for each in model.readings())
    what = Text("the logits for weights of the grader's", "채점용 가중치를 넣은 모델의 로짓")
    alike = source.shape == target.shape  # the known mistakes are computed for these
    expect_one_of(logits, right, what, LOGITS, lambda: wrong_logits(model, source, target, heads) if alike else {})


def wrong_logits(model: Token, source: np.ndarray, target: np.ndarray, heads: int) -> dict[str, Array]:
    """Return the logits of known mistakes."""
    weights = model.oracle_weights()
    right = oracle.token_transformer(source, target, weights, heads)
    ahead = oracle.look_ahead(target.shape[1])
    x_source, x_target = oracle.embed(source, weights.source_table), oracle.embed(target, weights.target_table)

    def encoded(x: Array, hidden: Any = None) -> Array:
        return oracle.encode(x, weights.encoder, heads, hidden, True, weights.encoder_norm)

    def decoded(memory: Array, x: Array = x_target, num_heads: int = heads, last: Any = weights.decoder_norm) -> Array:
        return weights.output(oracle.decode(x, memory, weights.decoder, num_heads, ahead, None, True, last))

    def with_heads(n: int) -> Array:
        memory = oracle.encode(x_source, weights.encoder, n, None, True, weights.encoder_norm)
        return decoded(memory, num_heads=n)

    exponentials = np.exp(right - right.max(axis=-1, keepdims=True))
    bare = oracle.positions(source.shape[1], model.d_model)
    return {
        "token-softmax": exponentials / exponentials.sum(axis=-1, keepdims=True),
        "token-one-head": with_heads(1),
        "token-heads-and-width-exchanged": with_heads(model.d_model // heads),
        "token-encoder-bypassed": decoded(
            oracle.normalise(x_source, oracle.Norm(model.alike.gamma, model.alike.projection.bias))
        ),
        "token-causal-encoder": decoded(encoded(x_source, hidden=oracle.look_ahead(source.shape[1]))),
        "token-positions-twice": decoded(encoded(x_source + bare), x_target + bare),
        "token-embedding-unscaled": decoded(
            encoded(x_source - (math.sqrt(model.d_model) - 1) * weights.source_table[source]),
            x_target - (math.sqrt(model.d_model) - 1) * weights.target_table[target],
        ),
        "token-always-post-norm": oracle.token_transformer(source, target, weights, heads, norm_first=False),
    }


def test_token_post_norm(probe: Probe, draw: Draw) -> None:
    model = second_model(probe, draw, "norm_first")
    expect_post_norm(model, draw)
    lengths = draw.distinct(2, 3, model.max_len - 2)
    if takes(lambda: model.ask(*(model.ids(draw, 1, length) for length in lengths), training=False)):
        expect_post_norm(model, draw, lengths)


def right_second_model(probe: Probe, draw: Draw) -> Token | None:
    """Return the second model if it is post-norm and tied and gives what the oracle gives, else None."""
    try:
        model = second_model(probe, draw, "")
        if model.sizes.get("norm_first", True) or not model.matches:
            return None
        # sources and targets of different lengths, of which one may be a single token
        model.ask(model.ids(draw, 2, 1), model.ids(draw, 2))
        expect_post_norm(model, draw)
    except (AnswerError, Miss):
        return None
    return model


def expect_post_norm(model: Token, draw: Draw, lengths: Sequence[int] = (0, 0)) -> None:
    """Miss unless the second model gives what the oracle gives, or alone what it gives in a batch if it can't be compared.

    `lengths` are those of source and target, 0 for max_len.
    """
    source, target = (model.ids(draw, 2, length) for length in lengths)
    logits = model.ask(source, target, training=False)
    if not model.matches:
        expect_rows_apart(lambda rows: model.ask(source[rows], target[rows]), logits)
        return
    heads = OTHER["num_heads"]
    right = (
        oracle.token_transformer(source, target, model.oracle_weights(*each, last_norms), heads, norm_first=False)
        for each in model.readings()
        for last_norms in (False, True)
    )

    def wrong() -> dict[str, Array]:
        ignored = oracle.token_transformer(source, target, model.oracle_weights(), heads)
        without = oracle.token_transformer(
            source, target, model.oracle_weights(last_norms=False), heads, norm_first=False
        )
        return {"token-norm-first-ignored": ignored, "token-softmax": softmax(without)}

    expect_one_of(
        logits, right, Text("the logits with norm_first=False", "norm_first=False일 때의 로짓"), LOGITS, wrong
    )


def test_token_tied(probe: Probe, draw: Draw) -> None:
    model = second_model(probe, draw, "tie_weights")
    table, kernel = (model.vocab_size, model.d_model), (model.d_model, model.vocab_size)
    matrices = model.matrices()
    if matrices != [table]:
        mistake = None
        if matrices.count(table) == 2 and kernel in matrices:
            mistake = "token-tie-ignored"
        elif matrices.count(table) == 1 and kernel in matrices:
            first = {weight.shape: value for weight, value in model.values}
            mistake = "token-tied-copy" if np.allclose(first[table].T, first[kernel]) else "token-tied-embeddings-only"
        elif matrices.count(table) == 2:
            mistake = "token-tied-output-only"
        raise Miss(
            Text(
                f"The tied model has {len(matrices)} trainable matrices of the vocabulary's size. "
                "One variable (vocab_size, d_model) should serve source, target and output.",
                f"가중치를 공유하는 모델에 어휘 크기의 학습되는 행렬이 {len(matrices)}개 있습니다. "
                "변수 (vocab_size, d_model) 하나를 소스, 타깃, 출력이 함께 써야 합니다.",
            ),
            mistake,
        )
    expect_tied_count(probe, draw)
    # a step along one row must move the logit of that token everywhere: the output really uses it
    source, target = model.ids(draw, 1), model.ids(draw, 1)
    absent = next(n for n in range(1, model.vocab_size) if n not in source and n not in target)
    before = model.ask(source, target, training=False)
    numbers = [value.copy() for value in model.numbers]
    for (weight, _), value in zip(model.values, numbers, strict=True):
        if is_matrix_of(weight, *table):
            value[absent] += draw.normal(model.d_model)
    model.model.set_values(numbers)
    moved = np.abs(model.ask(source, target, training=False) - before)[0]
    expect_that(
        bool((moved[:, absent] > STILL).all()),
        Text(
            "The tied model's output doesn't use the embedding matrix itself.",
            "가중치를 공유하는 모델의 출력이 임베딩 행렬 자체를 쓰지 않습니다.",
        ),
    )
    expect_that(
        bool((np.delete(moved, absent, axis=1) < STILL).all()),
        Text(
            "Another row of the embedding matrix moves other tokens' logits too: the output should be x times its transpose.",
            "임베딩 행렬의 한 행을 바꾸었더니 다른 토큰의 로짓도 달라집니다. 출력은 x에 그 전치 행렬을 곱한 것이어야 합니다.",
        ),
    )


def expect_tied_count(probe: Probe, draw: Draw) -> None:
    """Miss unless a tied pre-norm model has its last norms too, if the untied one has what it should."""

    def right(model: Token) -> int:
        names = ("vocab_size", "num_layers", "d_model", "num_heads", "ff_dim")
        options = {"tie_weights": model.sizes.get("tie_weights", False), "output_bias": model.has_output_bias()}
        return oracle.transformer_parameter_count(*(model.sizes[name] for name in names), **options)

    untied = Token(probe, draw)
    if untied.count() == right(untied):
        tied = Token(probe, draw, OTHER, tie_weights=True)
        expect_number(
            tied.count(),
            right(tied),
            Text(
                "the number of parameters of the tied pre-norm model",
                "가중치를 공유하는 사전 정규화 모델의 파라미터 수",
            ),
            {"token-tied-without-last-norms": right(tied) - 4 * tied.d_model},
            tolerance=0.0,
        )


def test_token_dropout(probe: Probe, draw: Draw) -> None:
    def inputs(model: Token) -> list[Any]:
        return [np.repeat(model.ids(draw, 1), 4, axis=0) for _ in range(2)]

    dropping = second_model(probe, draw, "")
    expect_dropout(Token(probe, draw), dropping, inputs, "token")
    # with blocks that add nothing, all that may be dropped is the embedding
    matrices = {(dropping.vocab_size, dropping.d_model), (dropping.d_model, dropping.vocab_size)}
    numbers = [
        number if not weight.trainable or weight.shape in matrices else first * (first == 1).all()
        for (weight, first), number in zip(dropping.values, dropping.numbers, strict=True)
    ]
    dropping.model.set_values(numbers)
    logits = dropping.ask(*inputs(dropping), training=True)
    expect_that(
        float(np.abs(logits - logits[:1]).max()) > STILL,
        Text(
            "In training nothing of the embeddings is dropped, only in the blocks.",
            "학습 때 블록에서만 드롭아웃이 일어나고 임베딩에서는 일어나지 않습니다.",
        ),
        "token-embedding-not-dropped",
    )
    for tries_left in reversed(range(TRIES_OF_MANY)):
        try:
            expect_blocks_to_drop(probe, draw)
            break
        except Miss:
            if not tries_left:
                raise


def expect_blocks_to_drop(probe: Probe, draw: Draw) -> None:
    """Miss if the encoder or the decoder of the second model never drops, whatever its embeddings drop.

    Every token stands at one position only, where its vector and the position's sum to 0: nothing is left to drop of it.
    What else is wrong with the model costs another line.
    """
    model = right_second_model(probe, draw)
    if model is None:
        return
    length, table = model.max_len, (model.vocab_size, model.d_model)
    opposite = -oracle.positions(length, model.d_model) / math.sqrt(model.d_model)
    numbers = [
        np.concatenate([number[:1], opposite, number[length + 1 :]]) if weight.shape == table else number
        for (weight, _), number in zip(model.values, model.numbers, strict=True)
    ]
    model.model.set_values(numbers)
    target = np.repeat(np.arange(1, length + 1, dtype=np.int32)[None], MANY_ROWS, axis=0)
    source = target[:, :1]
    quiet = model.ask(source[:1], target[:1])
    logits = model.ask(source, target, training=True)
    expect_that(
        float((logits == 0).mean()) < OTHER["dropout"] / 2,
        Text("In training logits themselves are dropped.", "학습 때 로짓 자체에 드롭아웃이 일어납니다."),
        "token-logits-dropped",
    )
    if np.abs(quiet - quiet[:, :1]).max() < STILL:
        expect_halves_to_drop(logits, "token", RATIO_OF_MANY)


# --- model-parameters ------------------------------------------------------------------------------------------------


STEP = 5  # how much larger a vocabulary is made


class Sizes:
    """Sizes to count with, no two alike."""

    def __init__(self, draw: Draw) -> None:
        self.vocab_size, self.num_layers, self.num_heads = draw.integer(60, 90), draw.integer(2, 3), draw.integer(2, 6)
        self.d_model = self.num_heads * draw.choice([8, 10, 12])
        self.ff_dim = self.d_model + draw.integer(7, 30)

    def count(self, probe: Probe, tie_weights: bool = False, **changed: int) -> float:
        """Return the student's count, once it is one whole number."""
        sizes = {**vars(self), **changed}
        order = ("vocab_size", "num_layers", "d_model", "num_heads", "ff_dim")
        options = {"tie_weights": True} if tie_weights else {}
        answer = probe.call("transformer_parameter_count", *(sizes[name] for name in order), **options)
        return expect_whole_number(answer)


def biases_of_own_models(probe: Probe, draw: Draw) -> dict[bool, bool]:
    """Return for untied and tied (False, True) whether the output of the student's own model has a bias.

    Where the model can't be made, or isn't what the task asks for, it is as the course has it.
    """
    biases = {False: True, True: False}
    for tied in biases:
        try:
            model = Token(probe, draw, OTHER, tie_weights=tied)
        except (AnswerError, Miss):
            continue
        if len(model.matrices()) == (1 if tied else 3):
            biases[tied] = model.has_output_bias()
    return biases


def expect_count(
    probe: Probe,
    draw: Draw,
    answer: float,
    right: Callable[[bool, bool], float],
    what: Text,
    confusions: Mapping[str, float],
) -> None:
    """Miss unless the answer is right by the course's output biases or by those of the student's own models.

    Args:
        probe: to ask for the student's models, only if the answer isn't the course's.
        draw: for their weights.
        answer: the student's number.
        right: (untied has a bias, tied has one) -> expected number.
        what: the number, as the subject of a sentence.
        confusions: known mistakes.
    """
    if answer == right(True, False):
        return
    own = biases_of_own_models(probe, draw)
    if answer == right(own[False], own[True]):
        return
    expect_number(answer, right(True, False), what, confusions, tolerance=0.0)


def test_parameters_are_a_number(probe: Probe, draw: Draw) -> None:
    Sizes(draw).count(probe)


def test_parameters_of_a_layer(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    d, inner = sizes.d_model, sizes.ff_dim
    encoder, decoder = (oracle.block_parameter_count(d, inner, n) for n in (1, 2))
    biases = 3 * 4 * d + 2 * (inner + d)
    norms = 5 * 2 * d
    expect_number(
        sizes.count(probe, num_layers=sizes.num_layers + 1) - sizes.count(probe),
        encoder + decoder,
        Text("the growth of the count with one more layer", "num_layers가 하나 늘 때 파라미터 수의 증가량"),
        {
            "parameters-without-biases": encoder + decoder - biases,
            "parameters-without-norms": encoder + decoder - norms,
            "parameters-gamma-only": encoder + decoder - norms // 2,
            "parameters-encoder-only": encoder,
            "parameters-decoder-only": decoder,
            "parameters-two-encoders": 2 * encoder,
            "parameters-two-norms-in-the-decoder": encoder + decoder - 2 * d,
            "parameters-without-attention-output": encoder + decoder - 3 * (d * d + d),
            "parameters-heads-multiplied": encoder + decoder + 3 * (sizes.num_heads - 1) * 4 * (d * d + d),
        },
        tolerance=0.0,
    )


def test_parameters_of_a_token(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    more = draw.integer(3, 9)
    d = sizes.d_model

    def right(untied_bias: bool, _tied_bias: bool) -> float:
        return more * (3 * d + untied_bias)

    expect_count(
        probe,
        draw,
        sizes.count(probe, vocab_size=sizes.vocab_size + more) - sizes.count(probe),
        right,
        Text(
            "the growth of the count with the vocabulary, untied",
            "어휘가 커질 때 파라미터 수의 증가량(공유하지 않을 때)",
        ),
        {
            "parameters-one-embedding": more * (2 * d + 1),
            "parameters-without-output-bias": more * 3 * d,
            "parameters-without-output": more * 2 * d,
            "parameters-always-tied": more * d,
        },
    )


def test_parameters_tied(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    vocab_size, d = sizes.vocab_size, sizes.d_model
    # only what changes with the vocabulary, and what doesn't change with it: the rest of the count is judged elsewhere
    few, many = (sizes.count(probe, tie_weights=True, vocab_size=n) for n in (vocab_size, vocab_size + STEP))
    growth = many - few

    def right(_untied_bias: bool, tied_bias: bool) -> float:
        return STEP * (d + tied_bias)

    expect_count(
        probe,
        draw,
        growth,
        right,
        Text("the growth of the count with the vocabulary, tied", "어휘가 커질 때 파라미터 수의 증가량(공유할 때)"),
        {
            "parameters-tie-ignored": STEP * (3 * d + 1),
            "parameters-tied-output-only": STEP * 2 * d,
            "parameters-tied-embeddings-only": STEP * (2 * d + 1),
        },
    )
    untied_few, untied_many = (sizes.count(probe, vocab_size=n) for n in (vocab_size, vocab_size + STEP))
    expect_that(
        untied_few - (untied_many - untied_few) / STEP * vocab_size == few - growth / STEP * vocab_size,
        Text(
            "Tying should change nothing but what the vocabulary costs.",
            "가중치를 공유해도 달라지는 것은 어휘의 파라미터 수뿐이어야 합니다.",
        ),
    )


def test_parameters_whole(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    order = (sizes.vocab_size, sizes.num_layers, sizes.d_model, sizes.num_heads, sizes.ff_dim)
    d = sizes.d_model

    def right(untied_bias: bool, _tied_bias: bool) -> float:
        return oracle.transformer_parameter_count(*order, output_bias=untied_bias)

    course = right(True, False)
    expect_count(
        probe,
        draw,
        sizes.count(probe),
        right,
        Text("the number of parameters, untied", "파라미터 수(공유하지 않을 때)"),
        {
            "parameters-without-last-norms": course - 4 * d,
            "parameters-one-last-norm": course - 2 * d,
        },
    )
