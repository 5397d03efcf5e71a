"""Hidden grader of 06-transformer.

Models are judged whatever they are made of: by what moves when an input changes, by how many parameters they have, and by value where
every weight can be placed (`models.Alike`). One that can't be compared by value earns those points by the others.
Making a model costs most of the time, so a task's lines share two, and each line gives them its own weights.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
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
    ROWS_OF_USUAL,
    STILL,
    TRIES,
    TRIES_OF_MANY,
    expect_decoder_to_drop,
    expect_dropout,
    expect_embedding_to_drop,
    expect_encoder_to_drop,
    expect_halves_to_drop,
    expect_usual_rate,
)
from .._shared.layer_lines import DROPS_AT_RATE_0, share_together
from .._shared.model_expectations import FilledModel, TokenModel, expect_finite, made, moves, takes
from .._shared.uniform_weights import Alike, Held, is_matrix_of
from . import reference as oracle

EMBEDDED = "(batch, seq_len, d_model)"
VECTORS = "(batch, target_len, dim)"
LOGITS = "(batch, target_len, vocab_size)"
PARAMETERS = Text("the number of parameters", "파라미터 수")

# Right models differ from the oracle by 1e-5 at most; an output that sees what it must not moves by more than this.
# Of the encoder's, the decoder's and the last norms: the paper's code and this course, PyTorch, Keras; parts may come from anywhere.
Epsilons = tuple[float, float, float]
_EPSILONS = (1e-6, 1e-5, 1e-3)
EPSILONS: list[Epsilons] = sorted(itertools.product(_EPSILONS, _EPSILONS, _EPSILONS), key=lambda each: len(set(each)))
USUAL = Held()


# --- token-embedding -------------------------------------------------------------------------------------------------


class EmbeddingCase:
    """The student's layer and a table for it; no two sizes are equal.

    Args:
        probe: what puts questions to the student's code.
        draw: the random numbers of which sizes, table and ids are made.
        dropout: the layer's rate.
        has_few_words: whether the vocabulary is smaller than max_len instead of larger.
        max_len: longest sequence; 0: one is drawn.
    """

    def __init__(
        self, probe: Probe, draw: Draw, dropout: float = 0.0, *, has_few_words: bool = False, max_len: int = 0
    ) -> None:
        self.vocab_size = draw.integer(4, 5) if has_few_words else draw.integer(17, 29)
        self.max_len, self.batch = max_len or draw.integer(9, 13), 3
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
        if not any(is_table):  # one that isn't trained costs `embedding-table`
            is_table = [weight.shape == table.shape for weight, _ in values]
        expect_that(
            any(is_table),
            Text(
                "After the first call there is no weight (vocab_size, d_model).",
                "첫 호출 뒤에 가중치 (vocab_size, d_model)이 없습니다.",
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
    expect_that(
        len(shapes) == 1,
        Text(
            f"There are {len(shapes)} trainable weights, but the table is the only one.",
            f"학습되는 가중치가 {len(shapes)}개입니다. 표 하나뿐이어야 합니다.",
        ),
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
    )
    padded = case.ids[:1].copy()
    padded[0, 0], padded[0, 3] = 0, 0
    of_padding, right = case.ask(padded) - output[:1], root * (case.table[padded] - case.table[case.ids[:1]])
    zeroed = right - root * case.table[padded] * (padded == 0)[..., None]  # as good: attention hides these vectors
    what = Text("the vectors with id 0 between the tokens", "토큰 사이에 ID 0이 있을 때의 벡터")
    if not np.allclose(of_padding, zeroed, atol=STILL):
        expect_close(of_padding, right, what, EMBEDDED)


def test_embedding_positions(probe: Probe, draw: Draw) -> None:
    case = EmbeddingCase(probe, draw, has_few_words=True)
    case.fill(np.zeros_like(case.table))
    table = oracle.positions(case.max_len, case.d_model)
    what = Text("what is added to the embeddings (the table all zeros)", "임베딩에 더해지는 값(표가 모두 0일 때)")
    for length in (case.max_len, draw.integer(3, case.max_len - 2), 1):
        right = np.broadcast_to(table[:length], (case.batch, length, case.d_model))
        expect_close(case.ask(case.ids[:, :length]), right, what, EMBEDDED)
    # longer than any number of rows that one would write down for short sentences
    case = EmbeddingCase(probe, draw, max_len=draw.integer(130, 150))
    case.fill(np.zeros_like(case.table))
    table = oracle.positions(case.max_len, case.d_model)
    long = Text("what is added to the embeddings of a long sequence", "긴 시퀀스의 임베딩에 더해지는 값")
    expect_close(case.ask(case.ids), np.broadcast_to(table, (case.batch, *table.shape)), long, EMBEDDED)


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
    )
    # position 0 adds sines of 0: zeros there need not have been dropped
    plain, dropped = plain[:, 1:], case.ask(ids, training=True)[:, 1:]
    expect_that(
        not np.allclose(dropped, plain, atol=1e-5),
        Text("With training=True nothing is dropped.", "training=True인데도 드롭아웃이 일어나지 않습니다."),
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
    )
    # more than 2000 entries: the share's standard deviation is about 0.01
    expect_that(
        abs(share - rate) < 0.07,
        Text(
            f"About {10 * round(10 * share)} % of the entries are dropped, which isn't the rate that was given.",
            f"원소의 약 {10 * round(10 * share)}%가 0이 되는데, 받은 비율과 다릅니다.",
        ),
    )
    expect_that(
        max(share_together(zeros, axis) for axis in range(3)) < 0.5,
        Text(
            "What is dropped is dropped for whole sequences, tokens or batches: each entry should be drawn by itself.",
            "시퀀스나 토큰, 배치 전체에서 한꺼번에 0이 됩니다. 원소마다 따로 뽑아야 합니다.",
        ),
    )
    expect_that(
        bool(np.allclose(dropped, kept, rtol=1e-3, atol=1e-3)),
        Text(
            "In training the kept entries should be divided by 1 - rate, as Keras's Dropout does. Or is the embedding dropped a first time "
            "before the positions are added?",
            "학습 때 남은 원소는 케라스의 Dropout처럼 1 - rate로 나누어야 합니다. 또는 위치를 더하기 전에 임베딩을 한 번 더 드롭아웃하지 않나요?",
        ),
    )
    expect_that(
        not np.array_equal(zeros, case.ask(ids, training=True)[:, 1:] == 0),
        Text("Each call in training drops the same entries.", "학습할 때 호출마다 같은 원소가 0이 됩니다."),
    )
    never = probe.layer("TokenEmbedding", case.vocab_size, case.d_model, case.max_len, dropout=0.0)
    shape = (*case.ids.shape, case.d_model)
    outside, within = (expect_shape(never(case.ids, training=each), shape, EMBEDDED) for each in (False, True))
    expect_that(bool(np.allclose(outside, within, atol=STILL)), DROPS_AT_RATE_0)
    usual = probe.layer("TokenEmbedding", case.vocab_size, case.d_model, case.max_len)
    share = float((expect_shape(usual(ids, training=True), (*ids.shape, case.d_model), EMBEDDED)[:, 1:] == 0).mean())
    expect_that(
        abs(share - 0.1) < 0.06,
        Text("Without `dropout` its rate is not 0.1.", "`dropout`을 주지 않았을 때의 비율이 0.1이 아닙니다."),
    )


def test_embedding_config(probe: Probe, draw: Draw) -> None:
    rate = draw.choice([0.4, 0.5])
    case = EmbeddingCase(probe, draw, dropout=rate)
    expected, again = case.ask(case.ids), case.ask(case.ids)
    values = [first for _, first in case.layer.values()]

    def share_of_zeros() -> float:
        return float((case.ask(np.repeat(case.ids, 8, axis=0), training=True)[:, 1:] == 0).mean())

    def takes_longer() -> bool:
        return takes(lambda: case.ask(np.concatenate([case.ids, case.ids[:, :1]], axis=1)))

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
    )
    expect_that(
        not (own_limit and takes_longer()),
        Text("The layer made from the config has another max_len.", "config로 다시 만든 계층의 max_len이 다릅니다."),
    )


# --- what both models share ------------------------------------------------------------------------------------------


def readings(model: FilledModel) -> Iterator[tuple[Epsilons, Held]]:
    """Yield which epsilons and which ways of holding numbers are right, the likeliest first."""
    for held in model.alike.ways(model.values):
        yield from ((each, held) for each in EPSILONS if held == USUAL or len(set(each)) == 1)


def expect_causal(moved: Array) -> None:
    """Miss unless no output moves with a later input and each moves with its own.

    Args:
        moved: (output positions, input positions).
    """
    expect_that(
        not np.triu(moved > STILL, k=1).any(),
        Text(
            "An output changes when only a later target changes: the decoder isn't causal.",
            "뒤의 타깃만 바꾸었는데 출력이 달라집니다. 디코더가 인과적이지 않습니다.",
        ),
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


def expect_parameters(model: FilledModel, right: int, what: Text = PARAMETERS) -> None:
    """Miss unless a model has so many parameters."""
    expect_number(model.count(), right, what, tolerance=0.0)


# --- continuous-model ------------------------------------------------------------------------------------------------

CONTINUOUS: dict[str, Any] = dict(
    timesteps=5, dim=12, num_heads=3, ff_dim=10, num_encoder_blocks=2, num_decoder_blocks=1, dropout=0.0
)
DROPPING: dict[str, Any] = dict(
    timesteps=4, dim=8, num_heads=2, ff_dim=14, num_encoder_blocks=1, num_decoder_blocks=2, dropout=0.5
)
SMALL: dict[str, Any] = dict(timesteps=3, dim=8, num_heads=2, ff_dim=6, num_encoder_blocks=1, num_decoder_blocks=1)


class Continuous(FilledModel):
    """The lecture's model of the sizes `sizes`."""

    def __init__(self, probe: Probe, draw: Draw, sizes: Mapping[str, Any] = CONTINUOUS) -> None:
        self.sizes = sizes
        self.timesteps, self.dim = sizes["timesteps"], sizes["dim"]
        example = [np.zeros((2, self.timesteps, self.dim), np.float32)] * 2
        alike = Alike(draw, self.dim, sizes["ff_dim"], num_heads=sizes["num_heads"])
        super().__init__(draw, made(probe, example, "build_continuous_transformer", **sizes), alike)

    def ask(self, source: Array, target: Array, **options: Any) -> Array:
        """Return the output, once its shape is right."""
        answer = self.model([source, target], **options)
        return expect_shape(answer, (len(target), target.shape[1], self.dim), VECTORS)

    def is_steady(self, draw: Draw) -> bool:
        """Whether the same inputs give the same output again: one that always drops has lost its points in another line."""
        inputs = draw.normal(2, 2, self.timesteps, self.dim)
        return bool(np.allclose(self.ask(*inputs), self.ask(*inputs), atol=STILL))

    def right_count(self) -> int:
        """Return how many parameters the lecture's model of these sizes has."""
        names = ("dim", "ff_dim", "num_encoder_blocks", "num_decoder_blocks")
        return oracle.continuous_parameter_count(*(self.sizes[name] for name in names))

    def right_outputs(self, source: Array, target: Array) -> Iterator[Array]:
        """Yield what the oracle gives, in each reading of the weights and with positions or without."""
        blocks = self.sizes["num_encoder_blocks"], self.sizes["num_decoder_blocks"]
        for epsilons, held in readings(self):
            weights = self.alike.weights(*blocks, epsilons=epsilons, held=held)
            for with_positions in (True, False):
                yield oracle.continuous_transformer(source, target, weights, self.sizes["num_heads"], with_positions)


def test_continuous_builds(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    model.ask(draw.normal(3, model.timesteps, model.dim), draw.normal(3, model.timesteps, model.dim))


def test_continuous_lengths(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    source = draw.normal(2, model.timesteps, model.dim)
    for length in (draw.choice([2, 3, 4]), draw.choice([7, 8, 9]), draw.integer(66, 90)):
        model.ask(source, draw.normal(2, length, model.dim))
    model.ask(source[:1], draw.normal(1, 3, model.dim))


def test_continuous_count(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    # what is counted says little of what was left out
    probe.tell_apart(lambda: model.ask(*draw.normal(2, 2, model.timesteps, model.dim)))
    expect_parameters(model, model.right_count())
    second = Continuous(probe, draw, DROPPING)
    what = Text("the number of parameters with several decoder blocks", "디코더 블록이 여러 개일 때 파라미터 수")
    expect_parameters(second, second.right_count(), what)


def test_continuous_causal(probe: Probe, draw: Draw) -> None:
    def expect(model: Continuous) -> None:
        target, other = draw.normal(2, model.timesteps, model.dim)
        source = np.repeat(draw.normal(1, model.timesteps, model.dim), len(target) + 1, axis=0)
        expect_causal(moves(lambda rows: model.ask(source, rows), target, other))

    expect(Continuous(probe, draw))
    second = Continuous(probe, draw, DROPPING)
    if second.is_steady(draw):
        expect(second)


def test_continuous_memory(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    source, other = draw.normal(2, model.timesteps, model.dim)
    target = np.repeat(draw.normal(1, model.timesteps, model.dim), len(source) + 1, axis=0)
    moved = moves(lambda rows: model.ask(rows, target), source, other)
    expect_that(
        bool((moved > 1e-6).any()),
        Text("No output changes with the source.", "소스가 바뀌어도 출력이 모두 그대로입니다."),
    )
    expect_that(
        bool((moved > 1e-6).all()),
        Text(
            "Some output doesn't change with some step of the source.",
            "소스의 어떤 자리가 바뀌어도 그대로인 출력이 있습니다.",
        ),
    )


def test_continuous_dropout(probe: Probe, draw: Draw) -> None:
    def rows(model: Continuous, count: int = 4) -> list[Array]:
        return list(np.repeat(draw.normal(2, 1, model.timesteps, model.dim), count, axis=1))

    expect_dropout(Continuous(probe, draw), Continuous(probe, draw, DROPPING), rows)
    expect_dropout_everywhere(probe, draw)
    given = Continuous(probe, draw, {**SMALL, "dropout": 0.1})
    expect_usual_rate(Continuous(probe, draw, SMALL), given, rows(given, ROWS_OF_USUAL))


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

    def ask() -> None:
        model.ask(draw.normal(2, model.timesteps, model.dim), draw.normal(2, LONG, model.dim))
        expect_outputs(model, draw)

    return model.matches and takes(ask)


def test_continuous_values(probe: Probe, draw: Draw) -> None:
    model = Continuous(probe, draw)
    expect_outputs(model, draw)
    for length in (model.timesteps - 2, model.timesteps + 3):
        if takes(lambda: model.ask(draw.normal(1, model.timesteps, model.dim), draw.normal(1, length, model.dim))):  # noqa: B023
            expect_outputs(model, draw, length)
    expect_outputs(model, draw, has_zeros=True)
    second = Continuous(probe, draw, DROPPING)
    if second.is_steady(draw):
        expect_outputs(second, draw)


def expect_outputs(model: Continuous, draw: Draw, target_len: int = 0, *, has_zeros: bool = False) -> None:
    """Miss unless the model computes what it should.

    Args:
        model: the model that is asked.
        draw: the random source.
        target_len: how many steps the target has; 0: as many as the source.
        has_zeros: whether one step of the source is a vector of zeros, which isn't padding.
    """
    source = draw.normal(3, model.timesteps, model.dim)
    if has_zeros:
        source[:, 1] = 0
    target = draw.normal(3, target_len or model.timesteps, model.dim)
    model.expect(
        model.ask(source, target),
        model.right_outputs(source, target),
        Text("the output for weights of the grader's", "채점용 가중치를 넣은 모델의 출력"),
        VECTORS,
        lambda rows: model.ask(source[rows], target[rows]),
    )


# --- token-model -----------------------------------------------------------------------------------------------------

TOKENS: dict[str, Any] = dict(vocab_size=23, max_len=11, num_layers=2, d_model=12, num_heads=3, ff_dim=10, dropout=0.0)
OTHER: dict[str, Any] = dict(vocab_size=19, max_len=9, num_layers=1, d_model=8, num_heads=2, ff_dim=14, dropout=0.4)
WITHOUT_RATE = {name: size for name, size in OTHER.items() if name != "dropout"}
PRE_NORM_LOGITS = Text("the logits for weights of the grader's", "채점용 가중치를 넣은 모델의 로짓")
POST_NORM_LOGITS = Text("the logits with norm_first=False", "norm_first=False일 때의 로짓")
TIED_POST_NORM_LOGITS = Text(
    "the logits with norm_first=False and tie_weights=True", "norm_first=False이고 tie_weights=True일 때의 로짓"
)
COUNTED = ("vocab_size", "num_layers", "d_model", "num_heads", "ff_dim")


class Token(TokenModel):
    """The model over tokens of the sizes `sizes`."""

    def __init__(self, probe: Probe, draw: Draw, sizes: Mapping[str, Any] = TOKENS, **options: Any) -> None:
        self.sizes = {**sizes, **options}
        self.vocab_size, self.max_len, self.d_model = (sizes[n] for n in ("vocab_size", "max_len", "d_model"))
        self.norm_first = self.sizes.get("norm_first", True)
        example = [np.ones((2, self.max_len), np.int32)] * 2
        alike = Alike(draw, self.d_model, sizes["ff_dim"], self.vocab_size, sizes["num_heads"])
        super().__init__(draw, made(probe, example, "build_transformer", **self.sizes), alike)

    def ask(self, source_ids: Any, target_ids: Any, **options: Any) -> Array:
        """Return the logits, once their shape is right."""
        answer = self.model([source_ids, target_ids], **options)
        return expect_shape(answer, (*np.shape(target_ids), self.vocab_size), LOGITS)

    def right_count(self) -> int:
        """Return how many parameters a pre-norm model of these sizes has; its output may do without a bias."""
        return oracle.transformer_parameter_count(
            *(self.sizes[name] for name in COUNTED),
            tie_weights=self.sizes.get("tie_weights", False),
            output_bias=self.has_output_bias(),
        )

    def right_logits(self, source: np.ndarray, target: np.ndarray) -> Iterator[Array]:
        """Yield what the oracle gives, in each reading of the weights; a post-norm model may have last norms."""
        layers = self.sizes["num_layers"]
        ends = {
            "tied": not self.has_output_kernel(),
            "output_bias": self.has_output_bias(),
            "embeds_by_kernel": self.embeds_by_kernel(),
        }
        for epsilons, held in readings(self):
            for last_norms in (True,) if self.norm_first else (False, True):
                weights = self.alike.weights(
                    layers, layers, epsilons=epsilons, last_norms=last_norms, held=held, **ends
                )
                yield oracle.token_transformer(source, target, weights, self.sizes["num_heads"], self.norm_first)


def second_model(probe: Probe, draw: Draw, needed: str) -> Token:
    """Return the model that is post-norm, tied and with dropout; only what is `needed` of the two if both don't work."""
    options = {"norm_first": False, "tie_weights": True}
    try:
        return Token(probe, draw, OTHER, **options)
    except AnswerError:
        return Token(probe, draw, OTHER, **({needed: options[needed]} if needed else {}))


def expect_logits(model: Token, source: np.ndarray, target: np.ndarray, what: Text | None = None) -> None:
    """Miss unless a model with weights of the grader's computes what it should, where the target isn't padding.

    Args:
        model: the model whose logits are asked for.
        source, target: ids (batch, source_len), (batch, target_len).
        what: the logits, as the subject of a sentence.
    """
    of_post_norm = TIED_POST_NORM_LOGITS if model.sizes.get("tie_weights") else POST_NORM_LOGITS
    usual = PRE_NORM_LOGITS if model.norm_first else of_post_norm
    model.expect_logits(
        model.ask(source, target, training=False),
        model.right_logits(source, target),
        target != 0,
        what or usual,
        lambda rows: model.ask(source[rows], target[rows]),
    )


def test_token_builds(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    expect_finite(model.ask(model.ids(draw, 2), model.ids(draw, 2)))


def test_token_lengths(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    short, shorter = draw.distinct(2, 3, 8)
    for source_len, target_len in ((short, shorter), (model.max_len, 1)):
        expect_finite(model.ask(model.ids(draw, 2, source_len), model.ids(draw, 2, target_len)))


def test_token_count(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    # what is counted says little of what was left out
    probe.tell_apart(lambda: model.ask(model.ids(draw, 2), model.ids(draw, 2)))
    expect_parameters(model, model.right_count())


def test_token_causal(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    (target,) = model.ids(draw, 1)
    source = np.repeat(model.ids(draw, 1), len(target) + 1, axis=0)
    expect_causal(moves(lambda rows: model.ask(source, rows), target, model.others(draw, target)))


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
    expect_that(
        moved[:3].max() > STILL,
        Text("No logit changes with the source.", "소스가 바뀌어도 로짓이 모두 그대로입니다."),
    )
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
    )


def test_token_source_padding(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    first, second = draw.distinct(2, 2, 5)
    source[0, -first:] = 0
    source[1, -second:] = source[1, 1] = 0
    # a padded target tells the mask of the source from that of the target
    probe.tell_apart(lambda: model.ask(source, np.where(np.arange(model.max_len) < 4, target, 0)))
    expect_that(
        not model.sees_padding(lambda: model.ask(source, target), draw),
        Text(
            "Logits change when nothing but the vector of id 0 changes, with padding in the source: somewhere padding isn't hidden.",
            "소스에 패딩이 있을 때 ID 0의 벡터만 바꾸었는데 로짓이 달라집니다. 어딘가에서 패딩을 가리지 않았습니다.",
        ),
    )
    expect_source_padding_unseen(probe, draw)
    expect_close(
        model.ask(source, target)[:1],
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
    text = Text(
        "With norm_first=False and tie_weights=True the source's padding isn't hidden everywhere: logits change when "
        "nothing but the vector of id 0 changes.",
        "norm_first=False이고 tie_weights=True일 때 소스의 패딩을 어딘가에서 가리지 않았습니다. "
        "ID 0의 벡터만 바꾸었는데 로짓이 달라집니다.",
    )
    expect_that(not model.sees_padding(lambda: model.ask(source, target, training=False), draw), text)


def test_token_target_padding(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    source, target = model.ids(draw, 2), model.ids(draw, 2)
    # of another length than the target, so that a target's mask over the source's positions costs `token-lengths` alone
    shorter = source[:, :-1]
    right_without = takes(lambda: expect_logits(model, shorter, target.copy()))
    target[0, draw.distinct(2, 1, model.max_len - 3)] = 0
    target[1, [2, -1]] = 0
    tokens = target != 0
    expect_that(
        bool(np.isfinite(model.ask(source, target)).all()),
        Text("With padding in the target there is a NaN in the logits.", "타깃에 패딩이 있으면 로짓에 NaN이 생깁니다."),
    )
    expect_that(
        not model.sees_padding(lambda: model.ask(source, target)[tokens], draw),
        Text(
            "Logits of tokens change when nothing but the vector of id 0 changes, with padding between the targets.",
            "타깃 사이에 패딩이 있을 때 ID 0의 벡터만 바꾸었는데 토큰들의 로짓이 달라집니다.",
        ),
    )
    if right_without and model.matches:
        # a vector of zeros for id 0 hides nothing: its place is still seen
        what = Text("the logits of tokens with padding between them", "사이에 패딩이 있는 토큰들의 로짓")
        expect_logits(model, shorter, target, what)


def test_token_values(probe: Probe, draw: Draw) -> None:
    model = Token(probe, draw)
    expect_logits(model, model.ids(draw, 2), model.ids(draw, 2))
    source, target = (model.ids(draw, 2, length) for length in draw.distinct(2, 3, model.max_len - 2))
    if takes(lambda: model.ask(source, target)):
        expect_logits(model, source, target)


def test_token_post_norm(probe: Probe, draw: Draw) -> None:
    model = second_model(probe, draw, "norm_first")
    expect_logits(model, model.ids(draw, 2), model.ids(draw, 2))
    source, target = (model.ids(draw, 2, length) for length in draw.distinct(2, 3, model.max_len - 2))
    if takes(lambda: model.ask(source, target, training=False)):
        expect_logits(model, source, target)


def right_second_model(probe: Probe, draw: Draw) -> Token | None:
    """Return the second model if it is post-norm and tied and gives what the oracle gives, else None."""
    try:
        model = second_model(probe, draw, "")
        if model.norm_first or not model.matches:
            return None
        # sources and targets of different lengths, of which one may be a single token
        model.ask(model.ids(draw, 2, 1), model.ids(draw, 2))
        expect_logits(model, model.ids(draw, 2), model.ids(draw, 2))
    except (AnswerError, Miss):
        return None
    return model


def test_token_tied(probe: Probe, draw: Draw) -> None:
    model = second_model(probe, draw, "tie_weights")
    table = model.vocab_size, model.d_model
    matrices = model.matrices()
    first = {weight.shape: value for weight, value in model.values if weight.shape in matrices}
    expect_that(
        set(matrices) != {table, table[::-1]} or not np.allclose(first[table].T, first[table[::-1]]),
        Text(
            "The output's kernel begins as a copy of the embedding matrix, but it is a variable of its own.",
            "출력의 커널이 임베딩 행렬의 복사본으로 시작하지만 별개의 변수입니다.",
        ),
    )
    if len(matrices) != 1:
        raise Miss(
            Text(
                f"Trainable matrices of the vocabulary's size in the tied model: {len(matrices)}. "
                "One variable (vocab_size, d_model) should serve source, target and output.",
                f"가중치를 공유하는 모델에 어휘 크기의 학습되는 행렬이 {len(matrices)}개 있습니다. "
                "변수 (vocab_size, d_model) 하나를 소스, 타깃, 출력이 함께 써야 합니다.",
            )
        )
    expect_tied_count(probe, draw)
    # a step along one row must move the logit of that token everywhere: the output really uses it
    source, target = model.ids(draw, 1), model.ids(draw, 1)
    absent = next(n for n in range(1, model.vocab_size) if n not in source and n not in target)
    before = model.ask(source, target, training=False)

    def moved_by(token: int) -> Array:
        step, numbers = draw.normal(model.d_model), [value.copy() for value in model.numbers]
        for (weight, _), value in zip(model.values, numbers, strict=True):
            if is_matrix_of(weight, *table):
                value[token] += step
            elif is_matrix_of(weight, *table[::-1]):
                value[:, token] += step
        model.model.set_values(numbers)
        return np.abs(model.ask(source, target, training=False) - before)[0]

    moved = moved_by(absent)
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
    if model.embeds_by_kernel():
        read = int(source[0, 0])
        expect_that(
            bool((np.delete(moved_by(read), read, axis=1) > STILL).any()),
            Text(
                "The tied model has one matrix, but its embeddings don't use it.",
                "가중치를 공유하는 모델의 행렬은 하나지만, 임베딩이 그것을 쓰지 않습니다.",
            ),
        )


def expect_tied_count(probe: Probe, draw: Draw) -> None:
    """Miss unless a tied pre-norm model has its last norms too, if the untied one has what it should."""

    untied = Token(probe, draw)
    if untied.count() == untied.right_count():
        tied = Token(probe, draw, OTHER, tie_weights=True)
        what = Text(
            "the number of parameters of the tied pre-norm model", "가중치를 공유하는 사전 정규화 모델의 파라미터 수"
        )
        expect_parameters(tied, tied.right_count(), what)


def test_token_dropout(probe: Probe, draw: Draw) -> None:
    def rows(model: Token, count: int = 4) -> list[Any]:
        return [np.repeat(model.ids(draw, 1), count, axis=0) for _ in range(2)]

    dropping = second_model(probe, draw, "")
    expect_dropout(Token(probe, draw), dropping, rows)
    expect_embedding_to_drop(dropping, rows(dropping))
    for tries_left in reversed(range(TRIES_OF_MANY)):
        try:
            expect_blocks_to_drop(probe, draw)
            break
        except Miss:
            if not tries_left:
                raise
    given = Token(probe, draw, WITHOUT_RATE, dropout=0.1)
    expect_usual_rate(Token(probe, draw, WITHOUT_RATE), given, rows(given, ROWS_OF_USUAL))


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
    )
    if np.abs(quiet - quiet[:, :1]).max() < STILL:
        expect_halves_to_drop(logits, RATIO_OF_MANY)


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
        options = {"tie_weights": True} if tie_weights else {}
        answer = probe.call("transformer_parameter_count", *(sizes[name] for name in COUNTED), **options)
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
) -> None:
    """Miss unless the answer is right by the course's output biases or by those of the student's own models.

    Args:
        probe: asks for the student's models, only if the answer isn't the course's.
        draw: the random numbers of the models' weights.
        answer: the student's number.
        right: (untied has a bias, tied has one) -> expected number.
        what: the number, as the subject of a sentence.
    """
    if answer == right(True, False):
        return
    own = biases_of_own_models(probe, draw)
    if answer == right(own[False], own[True]):
        return
    expect_number(answer, right(True, False), what, tolerance=0.0)


def test_parameters_are_a_number(probe: Probe, draw: Draw) -> None:
    Sizes(draw).count(probe)


def test_parameters_of_a_layer(probe: Probe, draw: Draw) -> None:
    sizes = Sizes(draw)
    d, inner = sizes.d_model, sizes.ff_dim
    expect_number(
        sizes.count(probe, num_layers=sizes.num_layers + 1) - sizes.count(probe),
        sum(oracle.block_parameter_count(d, inner, attentions) for attentions in (1, 2)),
        Text("the growth of the count with one more layer", "num_layers가 하나 늘 때 파라미터 수의 증가량"),
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
    order = [getattr(sizes, name) for name in COUNTED]

    def right(untied_bias: bool, _tied_bias: bool) -> float:
        return oracle.transformer_parameter_count(*order, output_bias=untied_bias)

    what = Text("the number of parameters, untied", "파라미터 수(공유하지 않을 때)")
    expect_count(probe, draw, sizes.count(probe), right, what)
