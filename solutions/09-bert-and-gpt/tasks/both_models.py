"""What both models of 09 are asked: lengths, parameters, positions, padding, dropout, values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, Weight, expect_number, expect_shape, expect_that

from ..._shared import transformer_reference as transformer
from ..._shared.dropout import (
    STILL,
    expect_blocks_to_drop,
    expect_dropout,
    expect_embedding_to_drop,
    expect_nothing_dropped,
    expect_usual_rate,
)
from ..._shared.model_expectations import TokenModel, build_once, expect_finite, succeeds
from ..._shared.uniform_weights import UniformWeights, WeightLayout
from .. import reference as oracle

LOGITS = "(batch, seq_len, vocab_size)"
THE_LOGITS = Text("the logits for weights of the grader's", "채점용 가중치를 넣은 모델의 로짓")
ORDER = ("vocab_size", "max_len", "num_layers", "d_model", "num_heads", "ff_dim", "dropout")
SIZES: dict[str, Any] = dict(vocab_size=23, max_len=11, num_layers=2, d_model=12, num_heads=3, ff_dim=10, dropout=0.0)
OTHER: dict[str, Any] = dict(vocab_size=19, max_len=9, num_layers=1, d_model=8, num_heads=2, ff_dim=14, dropout=0.1)
WITHOUT_RATE = {name: size for name, size in OTHER.items() if name != "dropout"}
FUNCTIONS = {"encoder": "build_encoder_lm", "decoder": "build_decoder_lm"}
_EPSILONS = (1e-6, 1e-5, 1e-3)
EPSILONS = sorted(itertools.product(_EPSILONS, _EPSILONS), key=lambda pair: len(set(pair)))


class LanguageModel(TokenModel):
    """A model of the student's, of the sizes `sizes`.

    Attributes:
        positions: the numbers of learned positions (max_len, d_model), None if the model has none.
    """

    def __init__(
        self, probe: Probe, draw: Draw, kind: str, sizes: Mapping[str, Any] = SIZES, **learned_positions: bool
    ) -> None:
        self.causal, self.sizes = kind == "decoder", sizes
        self.vocab_size, self.max_len, self.d_model = (sizes[n] for n in ("vocab_size", "max_len", "d_model"))
        self.heads, self.layers = sizes["num_heads"], sizes["num_layers"]
        arguments = [sizes[name] for name in ORDER if name in sizes]
        model = build_once(
            probe, np.ones((2, self.max_len), np.int32), FUNCTIONS[kind], *arguments, **learned_positions
        )
        uniform = UniformWeights(draw, self.d_model, sizes["ff_dim"], self.vocab_size, self.heads)
        table = draw.normal(self.max_len, self.d_model)
        super().__init__(
            draw, model, uniform, lambda weight: table.reshape(weight.shape) if self._is_table(weight) else None
        )
        self.positions = table if any(self._is_table(weight) for weight, _ in self.values) else None

    def _is_table(self, weight: Weight) -> bool:
        """Whether a weight is a table of learned positions, whatever axes of length 1 it has."""
        return weight.trainable and tuple(n for n in weight.shape if n != 1) == (self.max_len, self.d_model)

    def ask(self, token_ids: Any, **options: Any) -> Array:
        """Return the logits, once their shape is right."""
        return expect_shape(self.model(token_ids, **options), (*np.shape(token_ids), self.vocab_size), LOGITS)

    def counts_of_norms(self) -> tuple[int, ...]:
        """Return how many normalisations the model may have: as many as gains begin as ones; where none does, all that are right."""
        vectors = [first for weight, first in self.values if weight.trainable and first.size <= 2 * self.d_model]
        ones = sum(bool((first == 1).any()) for first in vectors)
        return (ones,) if ones else tuple(2 * self.layers + more for more in (1, 0, 2))

    def weights(self, epsilons: tuple[float, float], norms: int) -> oracle.ModelWeights:
        """Return the oracle's weights; the epsilons are the blocks' and the last norm's."""
        block, end = epsilons
        made = self.uniform.weights(
            self.layers,
            0,
            epsilons=(block, block, end),
            last_norms=norms > 2 * self.layers,
            tied=not self.has_output_kernel(),
            output_bias=self.has_output_bias(),
            embeds_by_kernel=self.embeds_by_kernel(),
            layout=WeightLayout(gains_from_zero=len(self.counts_of_norms()) > 1),
        )
        positions = transformer.positions(self.max_len, self.d_model) if self.positions is None else self.positions
        first = made.decoder_norm if norms > 2 * self.layers + 1 else None
        return oracle.ModelWeights(made.source_table, positions, made.encoder, made.output, made.decoder_norm, first)

    def right(self, token_ids: np.ndarray) -> Iterator[Array]:
        """Yield the oracle's logits in every style that the task leaves open, the course's own first."""
        for epsilons, norms in itertools.product(EPSILONS, self.counts_of_norms()):
            weights = self.weights(epsilons, norms)
            arrangements = [(True, weights)]
            if weights.last is None:
                arrangements = [(False, weights)]
            elif weights.first is None:
                # one norm more than the blocks': after them, or of the embeddings of post-norm blocks
                arrangements += [(False, weights), (False, replace(weights, first=weights.last, last=None))]
            for activation, scaled, (norm_first, arranged) in itertools.product(
                ("relu", "gelu", "gelu-tanh"), (True, False), arrangements
            ):
                style = oracle.Style(scaled, norm_first, activation)
                yield oracle.language_model(token_ids, arranged, self.heads, self.causal, style)

    def empty_tables(self) -> None:
        """Make every token's vector 0 before the blocks: nothing is left of the embedding and the learned positions."""
        tables = {(self.vocab_size, self.d_model), (self.max_len, self.d_model)}
        self.model.set_values(
            [
                0.0 * numbers if tuple(n for n in weight.shape if n != 1) in tables else numbers
                for (weight, _), numbers in zip(self.values, self.numbers, strict=True)
            ]
        )

    def has_idle_projection(self, token_ids: np.ndarray, draw: Draw) -> bool:
        """Whether the logits stay as they are with other numbers in a kernel (d_model, d_model), whatever axes its heads have."""
        before, square, idle = self.ask(token_ids, training=False), self.d_model**2, False
        for place, (weight, first) in enumerate(self.values):
            if weight.trainable and first.size == square and self.d_model in weight.shape:
                changed = list(self.numbers)
                changed[place] = self.numbers[place] + draw.normal(*weight.shape, scale=0.5)
                self.model.set_values(changed)
                idle = idle or np.allclose(self.ask(token_ids, training=False), before, atol=1e-6)
        self.restore()
        return idle

    def padded(self, draw: Draw) -> np.ndarray:
        """Draw ids (4, max_len) with padding at the end of one sequence, inside one, inside and at the end of one, in front of one."""
        ids = self.ids(draw, 4)
        ids[3, : draw.integer(2, 4)] = 0
        ids[0, -draw.integer(2, 5) :] = 0
        ids[1, draw.distinct(2, 1, self.max_len - 3)] = 0
        ids[2, [2, -1]] = 0
        return ids


def expect_lengths(model: LanguageModel, draw: Draw) -> None:
    """Miss unless sequences of any length up to max_len are taken."""
    expect_finite(model.ask(model.ids(draw, 3, model.max_len)))
    for length in (draw.integer(3, model.max_len - 3), 1):
        try:
            expect_finite(model.ask(model.ids(draw, 3, length)))
        except AnswerRaised as error:
            raise Miss(
                Text(
                    "It takes sequences of max_len tokens, but none that are shorter.",
                    "길이가 max_len인 시퀀스는 받지만 더 짧은 것은 받지 못합니다.",
                )
                + error.text,
            ) from None


def expect_count(probe: Probe, model: LanguageModel, draw: Draw) -> None:
    """Miss unless the model has the parameters of the task, in one of the styles that it leaves open."""
    # what is counted says little of what was left out
    probe.tell_apart(lambda: model.ask(model.ids(draw, 2)))
    vocab_size, length, layers, d, _, inner = (model.sizes[name] for name in ORDER[:6])
    right = oracle.parameter_count(vocab_size, layers, d, inner)
    table = vocab_size * d
    styles = itertools.product((-2 * d, 0, 2 * d), (0, length * d), (0, -vocab_size, -table, -table - vocab_size))
    if model.count() not in {right + sum(parts) for parts in styles}:
        expect_number(model.count(), right, Text("the number of parameters", "파라미터 수"), tolerance=0.0)


def expect_positions(probe: Probe, kind: str, draw: Draw) -> None:
    """Miss unless a token's logits depend on its place, and positions can be learned, but only if that is asked for.

    One token over and over: without positions every place has the same logits, under any mask.
    """
    model = LanguageModel(probe, draw, kind, OTHER)
    logits = model.ask(np.full((1, model.max_len), draw.integer(1, model.vocab_size - 1), np.int32), training=False)
    expect_that(
        float(np.abs(logits[0, 1:] - logits[0, :1]).max()) > STILL,
        Text(
            "The same token over and over gets the same logits in every place: are there positions?",
            "같은 토큰을 늘어놓으면 어느 자리에서나 로짓이 같습니다. 위치를 더했나요?",
        ),
    )
    try:
        learned = LanguageModel(probe, draw, kind, OTHER, learned_positions=True)
    except AnswerRaised as error:
        if "TypeError" in error.kinds and "learned_positions" in error.raw:
            return  # a function without this argument was asked for nothing about it
        raise
    expect_that(
        learned.positions is not None,
        Text(
            "With learned_positions=True there is no trainable weight (max_len, d_model).",
            "learned_positions=True인데 학습되는 가중치 (max_len, d_model)이 없습니다.",
        ),
    )
    expect_that(
        model.positions is None,
        Text(
            "Without learned_positions=True there is a trainable weight (max_len, d_model) too: then the positions are sinusoidal.",
            "learned_positions=True가 아닌데도 학습되는 가중치 (max_len, d_model)이 있습니다. 그때 위치는 사인과 코사인입니다.",
        ),
    )
    ids = model.padded(draw)
    if succeeds(lambda: expect_logits(model, ids)):  # what is wrong with both costs another line
        expect_logits(
            learned, ids, Text("the logits with learned_positions=True", "learned_positions=True일 때의 로짓")
        )


def expect_padding_hidden(model: LanguageModel, ids: np.ndarray, draw: Draw) -> None:
    """Miss unless tokens' logits stay when nothing but the vector of id 0 changes, and are right if they are without padding."""
    tokens = ids != 0
    expect_that(
        not model.sees_padding(lambda: model.ask(ids)[tokens], draw),
        Text(
            "Logits of tokens change when nothing but the vector of id 0 changes: padding isn't hidden everywhere.",
            "ID 0의 벡터만 바꾸었는데 토큰들의 로짓이 달라집니다. 패딩을 가리지 않은 곳이 있습니다.",
        ),
    )
    if succeeds(lambda: expect_logits(model, model.ids(draw, 3))):
        # a vector of zeros for id 0 hides nothing: its place is still seen
        expect_logits(
            model, ids, Text("the logits of tokens with padding between them", "사이에 패딩이 있는 토큰들의 로짓")
        )


def expect_model_dropout(probe: Probe, draw: Draw, kind: str) -> None:
    """Miss unless one model never drops and others do, in training only, embeddings and blocks, at 0.1 if no rate is given."""

    def rows(model: LanguageModel, count: int = 4) -> list[Any]:
        return [np.repeat(model.ids(draw, 1), count, axis=0)]

    dropping = LanguageModel(probe, draw, kind, OTHER)
    expect_dropout(LanguageModel(probe, draw, kind), dropping, rows)
    expect_embedding_to_drop(dropping, rows(dropping))
    try:
        learned = LanguageModel(probe, draw, kind, OTHER, learned_positions=True)
    except AnswerError:
        learned = dropping  # whether there is such a model is another line's
    else:
        expect_nothing_dropped(learned, rows(learned))
    expect_embedding_to_drop(learned, rows(learned))
    if learned.positions is not None and learned.has_output_kernel():
        expect_blocks_to_drop(learned, rows(learned))
    expect_usual_rate(
        lambda: (LanguageModel(probe, draw, kind, WITHOUT_RATE), LanguageModel(probe, draw, kind, OTHER)), rows
    )


def expect_logits(model: LanguageModel, ids: np.ndarray, what: Text = THE_LOGITS) -> None:
    """Miss unless tokens' logits are the oracle's in one of the styles, or each row's its own if weights can't be placed."""
    model.expect_logits(
        model.ask(ids, training=False),
        model.right(ids),
        ids != 0,
        what,
        lambda rows: model.ask(ids[rows], training=False),
    )


def expect_values(probe: Probe, draw: Draw, kind: str) -> None:
    """Miss unless the model computes what it should, at two lengths, and with each projection of its attention."""
    model = LanguageModel(probe, draw, kind)
    expect_logits(model, model.ids(draw, 3))
    shorter = model.ids(draw, 3, draw.integer(3, model.max_len - 3))
    if succeeds(lambda: model.ask(shorter)):
        expect_logits(model, shorter)
    # all projections hold the same numbers, so one may stand for another
    small = LanguageModel(probe, draw, kind, OTHER)
    expect_that(
        not small.has_idle_projection(small.ids(draw, 2), draw),
        Text(
            "A projection of the attention plays no part: with other numbers in its kernel the logits are the same.",
            "어텐션의 투영 가운데 쓰이지 않는 것이 있습니다. 그 커널의 값을 바꾸어도 로짓이 그대로입니다.",
        ),
    )
