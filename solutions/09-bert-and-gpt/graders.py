"""Hidden grader of 09-bert-and-gpt.

What is random is judged by its statistics: a right answer is told wrong about once in 10^9 lines, and no seeded draw is ever
compared with another program's. Models are judged as in 06: by what moves when an input changes, by their parameters, and by value
where every weight can be placed, in every style that the task leaves open.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError, AnswerRaised
from autograder.base.text import Text
from autograder.grading import (
    Array,
    Draw,
    Given,
    Miss,
    Probe,
    Weight,
    expect_close,
    expect_number,
    expect_shape,
    expect_that,
    expect_tuple,
    is_close,
)

from .._shared import transformer_reference as transformer
from .._shared.dropout import (
    ROWS_OF_USUAL,
    STILL,
    expect_blocks_to_drop,
    expect_dropout,
    expect_embedding_to_drop,
    expect_nothing_dropped,
    expect_usual_rate,
)
from .._shared.model_expectations import TokenModel, expect_finite, made, moves, takes
from .._shared.uniform_weights import Alike, Held
from . import generators
from . import reference as oracle

GENERATORS = inspect.getsource(generators)
# How many standard deviations a right answer may be off: a normal number is further out once in 10^9 times.
FAR = 6.1


def _generator(probe: Probe, draw: Draw) -> Given:
    return probe.define(GENERATORS, "generator", draw.integer(0, 2**31))


def _slack(share: float, count: float) -> float:
    """Return how far the share of `count` draws may be from the right one."""
    return FAR * math.sqrt(max(share * (1 - share), 1e-6) / max(count, 1))


def _is_too_uneven(statistic: float, freedom: int) -> bool:
    """Whether a chi-square statistic is larger than chance makes it (Wilson and Hilferty 1931)."""
    if freedom < 1:
        return statistic > 1e-6
    limit = freedom * (1 - 2 / (9 * freedom) + FAR * math.sqrt(2 / (9 * freedom))) ** 3
    return statistic > limit


# --- mask-tokens -----------------------------------------------------------------------------------------------------

MASKED = "(inputs, labels, selected)"
TOKEN_SHAPE = "(batch, seq_len)"
SPECIAL = (1, 2)  # <bos> and <eos>, which every second sequence begins with


class Masking:
    """One call of the student's function on many tokens.

    Attributes:
        ids, inputs, labels: (batch, seq_len).
        selected: the same, booleans.
        tokens: which ids aren't padding.
        vocab_size, mask_id: as the function was told.
    """

    def __init__(
        self,
        probe: Probe,
        draw: Draw,
        rate: float | None = None,
        shape: tuple[int, int] = (220, 90),
        padded: bool = True,
        keep: bool = False,
        words: int = 0,
    ) -> None:
        self.vocab_size = draw.integer(44, 60)
        self.mask_id = draw.integer(6, self.vocab_size - 2)
        ordinary = np.delete(np.arange(4, self.vocab_size), self.mask_id - 4)
        if words:
            ordinary = ordinary[draw.distinct(words, 0, len(ordinary) - 1)]
        self.ids = ordinary[draw.integers(0, len(ordinary) - 1, *shape)]
        self.ids[::2, :2] = SPECIAL
        if padded:
            for row, length in zip(self.ids, draw.integers(shape[1] // 2, shape[1], shape[0]), strict=True):
                row[length:] = 0
            self.ids[3, :4] = 0
            self.ids[1::4, [2, 5, 8]] = 0
        self.tokens = self.ids != 0
        given: Any = probe.define(GENERATORS, "array", self.ids) if keep else self.ids
        options = {} if rate is None else {"rate": rate}
        answer = probe.call("mask_tokens", given, _generator(probe, draw), self.vocab_size, self.mask_id, **options)
        self.after = probe.define(GENERATORS, "reader", given)() if keep else self.ids
        self._read(answer)

    def _read(self, answer: Any) -> None:
        # a list of three equal arrays arrives as one array
        three = tuple(answer) if isinstance(answer, np.ndarray) and answer.ndim == 3 else answer
        parts = expect_tuple(three, 3, MASKED)
        self.inputs, self.labels, selected = (
            expect_shape(part, self.ids.shape, f"{name} {TOKEN_SHAPE}")
            for part, name in zip(parts, ("inputs", "labels", "selected"), strict=True)
        )
        expect_that(
            bool(np.isin(selected, (0, 1)).all()),
            Text(
                "`selected` should hold True and False, or 1 and 0: is the order (inputs, labels, selected)?",
                "`selected`에는 True와 False(또는 1과 0)가 들어 있어야 합니다. 순서가 (inputs, labels, selected)인가요?",
            ),
        )
        self.selected = selected == 1

    def share(self) -> float:
        """Return the share of the tokens that are selected, padding left out."""
        return float(self.selected[self.tokens].mean())

    def takes_whole_sequences(self) -> bool:
        """Whether every sequence's tokens are selected all together or not at all."""
        together = all(len(set(row[tokens])) == 1 for row, tokens in zip(self.selected, self.tokens, strict=True))
        return together and 0 < self.share() < 1

    def takes_same_places(self) -> bool:
        """Whether what stands in one place is selected in all sequences or in none."""
        columns = zip(self.selected.T, self.tokens.T, strict=True)
        return all(len(set(column[tokens])) < 2 for column, tokens in columns) and 0 < self.share() < 1

    def draws(self) -> float:
        """Return how many independent draws the selection is worth: which tokens go together is another line's."""
        if not self.takes_whole_sequences() and not self.takes_same_places():
            return float(self.tokens.sum())
        together = self.tokens.sum(axis=1 if self.takes_whole_sequences() else 0).astype(np.float64)
        return float(together.sum() ** 2 / (together**2).sum())

    def read_in_place(self) -> Array:
        """Return what is read in place of the selected tokens."""
        chosen = self.selected & self.tokens
        expect_that(
            int(chosen.sum()) > 100,
            Text("Hardly any token is selected.", "고른 토큰이 거의 없습니다."),
        )
        return self.inputs[chosen]

    def originals(self) -> Array:
        """Return the selected tokens themselves."""
        return self.ids[self.selected & self.tokens].astype(float)


def test_mask_shape(probe: Probe, draw: Draw) -> None:
    Masking(probe, draw, rate=0.5, shape=(5, 9))


def test_mask_rate(probe: Probe, draw: Draw) -> None:
    given = draw.choice([0.3, 0.35, 0.4])
    for rate, masking in ((0.15, Masking(probe, draw)), (given, Masking(probe, draw, rate=given))):
        masking.read_in_place()
        expect_that(
            abs(masking.share() - rate) < _slack(rate, masking.draws()),
            Text(
                "The share of tokens that are selected isn't the rate.",
                "고른 토큰의 비율이 rate와 다릅니다.",
            ),
        )
    expect_that(
        not Masking(probe, draw, rate=0.0, shape=(6, 9)).selected.any(),
        Text(
            "With a rate of 0 tokens are selected: a sequence may have none.",
            "rate가 0인데도 고른 토큰이 있습니다. 하나도 고르지 않은 시퀀스가 있어도 됩니다.",
        ),
    )


def test_mask_padding(probe: Probe, draw: Draw) -> None:
    masking = Masking(probe, draw, rate=0.5)
    expect_that(
        not masking.selected[~masking.tokens].any(),
        Text("Padding (id 0) is selected.", "패딩(ID 0)을 골랐습니다."),
    )
    expect_that(
        not masking.inputs[~masking.tokens].any(),
        Text("Padding doesn't stay padding in `inputs`.", "`inputs`에서 패딩이 패딩으로 남지 않았습니다."),
    )


def test_mask_independent(probe: Probe, draw: Draw) -> None:
    masking = Masking(probe, draw, rate=0.3, padded=False)
    selected = masking.selected
    rows, columns = selected.shape
    share = float(selected.mean())
    expect_that(0 < share < 1, Text("All tokens are selected, or none.", "모두 골랐거나 하나도 고르지 않았습니다."))
    same_places = Text(
        "The selected places are the same in too many sequences of a batch.",
        "배치의 여러 시퀀스에서 고른 자리가 지나치게 자주 같습니다.",
    )
    expect_that(not masking.takes_same_places(), same_places)
    expect_that(
        all(selected[masking.ids == token].any() for token in SPECIAL),
        Text(
            "<bos> and <eos> (ids 1 and 2) are never selected: all tokens but padding may be.",
            "<bos>와 <eos>(ID 1과 2)를 한 번도 고르지 않습니다. 패딩이 아닌 토큰은 모두 고를 수 있습니다.",
        ),
    )
    expect_that(
        bool(selected.any(axis=0).all()),
        Text(
            "In some place no token is ever selected, in any sequence of a large batch.",
            "큰 배치의 어느 시퀀스에서도 고르지 않는 자리가 있습니다.",
        ),
    )
    spread = share * (1 - share)

    def is_uneven(axis: int) -> bool:
        means = selected.mean(axis=axis)
        statistic = float(((means - share) ** 2).sum()) * selected.shape[axis] / spread
        return _is_too_uneven(statistic, len(means) - 1)

    def go_together(distance: int) -> bool:
        both = float((selected[:, distance:] & selected[:, :-distance]).mean())
        return both - share**2 > 2 * _slack(share**2, rows * (columns - distance))

    expect_that(not is_uneven(0), same_places)
    far = go_together(columns // 3)
    expect_that(
        far or not go_together(1),
        Text("Neighbours are selected together far too often.", "이웃한 토큰을 지나치게 자주 함께 골랐습니다."),
    )
    expect_that(
        not far and not is_uneven(1),
        Text(
            "In some sequences far too many tokens are selected, in others far too few.",
            "어떤 시퀀스에서는 지나치게 많이, 어떤 시퀀스에서는 지나치게 적게 골랐습니다.",
        ),
    )


def test_mask_labels(probe: Probe, draw: Draw) -> None:
    masking = Masking(probe, draw, rate=0.3)
    chosen = masking.selected & masking.tokens
    expect_that(
        bool((masking.labels == masking.ids)[chosen].all()),
        Text(
            "Where a token is selected, its label isn't the original id.",
            "고른 자리의 라벨이 원래 ID가 아닙니다.",
        ),
    )
    try:
        single = Masking(probe, draw, rate=0.5, shape=(1, 40), padded=False)
    except Miss as error:
        raise Miss(Text("With a batch of one sequence: ", "시퀀스가 하나뿐인 배치에서: ") + error.text) from None
    expect_that(
        bool((single.labels == single.ids)[single.selected].all()),
        Text(
            "In a batch of one sequence a selected token's label isn't the original id.",
            "시퀀스가 하나뿐인 배치에서 고른 자리의 라벨이 원래 ID가 아닙니다.",
        ),
    )


def test_mask_shares(probe: Probe, draw: Draw) -> None:
    masking = Masking(probe, draw, rate=0.5)
    read, originals = masking.read_in_place(), masking.originals()
    hidden, kept = read == masking.mask_id, read == originals
    # a random token may be the mask or the token itself
    luck = 0.1 * 2 / (masking.vocab_size - 6)
    shares = np.array([hidden.mean(), (~hidden & ~kept).mean(), kept.mean()])
    expect_that(
        bool((np.abs(shares - (0.8, 0.1, 0.1)) < _slack(0.8, len(read)) + luck).all()),
        Text(
            "Of the selected tokens not about 80 % read as the mask, 10 % as another token and 10 % as themselves.",
            "고른 토큰의 80%쯤이 마스크로, 10%쯤이 다른 토큰으로, 10%쯤이 자기 자신으로 읽혀야 하는데 그렇지 않습니다.",
        ),
    )
    counts = (masking.selected & masking.tokens).sum(axis=1)
    of_row = np.where(masking.selected & masking.tokens, masking.inputs == masking.mask_id, 0).sum(axis=1)
    enough = counts > 0
    statistic = float(((of_row - 0.8 * counts)[enough] ** 2 / (0.16 * counts[enough])).sum())
    expect_that(
        not _is_too_uneven(statistic, int(enough.sum())),
        Text(
            "In a sequence the selected tokens share one fate: draw for each of them.",
            "한 시퀀스의 고른 토큰들이 같은 결과를 나누어 가집니다. 토큰마다 따로 뽑으세요.",
        ),
    )


def test_mask_random(probe: Probe, draw: Draw) -> None:
    # few different words: what is drawn from the batch instead of the vocabulary shows
    masking = Masking(probe, draw, rate=0.7, shape=(320, 90), words=12)  # some 28 random tokens of each kind
    read, originals = masking.read_in_place(), masking.originals()
    other = read[(read != masking.mask_id) & (read != originals)]
    expect_that(
        len(other) > 0,
        Text("No selected token is exchanged for another.", "다른 토큰으로 바뀐 것이 하나도 없습니다."),
    )
    expect_that(
        bool((other == np.round(other)).all() and (other >= 0).all() and (other < masking.vocab_size).all()),
        Text(
            "A random token isn't an id of the vocabulary, 0 to vocab_size - 1.",
            "무작위 토큰이 어휘의 ID(0부터 vocab_size - 1까지)가 아닙니다.",
        ),
    )
    ordinary = [word for word in range(4, masking.vocab_size) if word != masking.mask_id]
    counts = np.bincount(other.astype(int), minlength=masking.vocab_size)[ordinary]
    # a token isn't seen to be exchanged for itself
    chances = 1 - np.bincount(originals.astype(int), minlength=masking.vocab_size)[ordinary] / len(originals)
    expected = counts.sum() * chances / chances.sum()
    never = (counts == 0) & (expected > 20)  # by chance less than once in a hundred million gradings
    expect_that(
        bool(counts.any() and not never.any())
        and not _is_too_uneven(float(((counts - expected) ** 2 / expected).sum()), len(ordinary) - 1),
        Text(
            "The random tokens aren't drawn evenly from the whole vocabulary.",
            "무작위 토큰이 어휘 전체에서 고르게 뽑히지 않습니다.",
        ),
    )


def test_mask_untouched(probe: Probe, draw: Draw) -> None:
    masking = Masking(probe, draw, rate=0.4, shape=(20, 30), keep=True)
    expect_that(
        is_close(masking.after, masking.ids),
        Text(
            "The array of token ids that was given has changed.",
            "받은 토큰 ID의 배열이 바뀌었습니다.",
        ),
    )
    others = masking.tokens & ~masking.selected
    expect_that(
        bool((masking.inputs == masking.ids)[others].all()),
        Text("In `inputs` a token changes that isn't selected.", "`inputs`에서 고르지 않은 토큰이 바뀌었습니다."),
    )


def test_mask_generator(probe: Probe, draw: Draw) -> None:
    def answers(seed: int) -> Array:
        ids = np.arange(4, 34).reshape(3, 10).repeat(8, axis=0)
        answer = probe.call("mask_tokens", ids, probe.define(GENERATORS, "generator", seed), 40, 39, rate=0.5)
        three = tuple(answer) if isinstance(answer, np.ndarray) and answer.ndim == 3 else answer
        return np.stack([expect_shape(part, ids.shape, TOKEN_SHAPE) for part in expect_tuple(three, 3, MASKED)])

    seed = draw.integer(0, 10**6)
    expect_generator(answers(seed), answers(seed), answers(seed + 1))


def expect_generator(first: Array, again: Array, other: Array) -> None:
    """Miss unless answers with generators of the same seed are alike, and with another seed different."""
    expect_that(
        bool((first == again).all()),
        Text(
            "Two generators with the same seed give different answers: something random doesn't come from `rng`.",
            "시드가 같은 두 생성기에서 다른 답이 나옵니다. `rng`에서 나오지 않은 무작위가 있습니다.",
        ),
    )
    expect_that(
        bool((first != other).any()),
        Text(
            "Generators with different seeds give the same answer: `rng` isn't used.",
            "시드가 다른 생성기에서 같은 답이 나옵니다. `rng`를 쓰지 않았습니다.",
        ),
    )


# --- what both models share ------------------------------------------------------------------------------------------

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
        model = made(probe, np.ones((2, self.max_len), np.int32), FUNCTIONS[kind], *arguments, **learned_positions)
        alike = Alike(draw, self.d_model, sizes["ff_dim"], self.vocab_size, self.heads)
        table = draw.normal(self.max_len, self.d_model)
        super().__init__(
            draw, model, alike, lambda weight: table.reshape(weight.shape) if self._is_table(weight) else None
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
        made = self.alike.weights(
            self.layers,
            0,
            epsilons=(block, block, end),
            last_norms=norms > 2 * self.layers,
            tied=not self.has_output_kernel(),
            output_bias=self.has_output_bias(),
            embeds_by_kernel=self.embeds_by_kernel(),
            held=Held(gains_from_zero=len(self.counts_of_norms()) > 1),
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
    if takes(lambda: expect_logits(model, ids)):  # what is wrong with both costs another line
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
    if takes(lambda: expect_logits(model, model.ids(draw, 3))):
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
    usual = LanguageModel(probe, draw, kind, WITHOUT_RATE)
    expect_usual_rate(usual, dropping, rows(usual, ROWS_OF_USUAL))


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
    if takes(lambda: model.ask(shorter)):
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


# --- encoder-only ----------------------------------------------------------------------------------------------------


def test_encoder_builds(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "encoder")
    expect_finite(model.ask(model.ids(draw, 2)))


def test_encoder_lengths(probe: Probe, draw: Draw) -> None:
    expect_lengths(LanguageModel(probe, draw, "encoder"), draw)


def test_encoder_count(probe: Probe, draw: Draw) -> None:
    expect_count(probe, LanguageModel(probe, draw, "encoder"), draw)


def test_encoder_both_sides(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "encoder")
    (ids,) = model.ids(draw, 1)
    expect_that(
        bool((moves(model.ask, ids, model.others(draw, ids)) > 1e-6).all()),
        Text(
            "Some position's logits don't change with some other token: in an encoder only padding is hidden.",
            "어떤 토큰이 바뀌어도 로짓이 그대로인 위치가 있습니다. 인코더에서는 패딩만 가립니다.",
        ),
    )


def test_encoder_positions(probe: Probe, draw: Draw) -> None:
    expect_positions(probe, "encoder", draw)


def test_encoder_padding(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "encoder")
    ids = model.padded(draw)
    expect_padding_hidden(model, ids, draw)
    expect_close(
        model.ask(ids)[:1, ids[0] != 0],
        model.ask(ids[:1, ids[0] != 0]),
        Text("the tokens' logits after more padding", "패딩을 더 붙였을 때 토큰들의 로짓"),
        LOGITS,
    )


def test_encoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_model_dropout(probe, draw, "encoder")


def test_encoder_values(probe: Probe, draw: Draw) -> None:
    expect_values(probe, draw, "encoder")


# --- decoder-only ----------------------------------------------------------------------------------------------------


def test_decoder_builds(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "decoder")
    expect_finite(model.ask(model.ids(draw, 2)))


def test_decoder_lengths(probe: Probe, draw: Draw) -> None:
    expect_lengths(LanguageModel(probe, draw, "decoder"), draw)


def test_decoder_count(probe: Probe, draw: Draw) -> None:
    expect_count(probe, LanguageModel(probe, draw, "decoder"), draw)


def test_decoder_causal(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "decoder")
    (ids,) = model.ids(draw, 1)
    moved = moves(model.ask, ids, model.others(draw, ids))
    expect_that(
        not np.triu(moved > STILL, k=1).any(),
        Text(
            "Logits change when only a later token changes: the model isn't causal.",
            "뒤의 토큰만 바꾸었는데 로짓이 달라집니다. 모델이 인과적이지 않습니다.",
        ),
    )
    expect_that(
        bool((moved[np.tri(len(ids), dtype=bool)] > 1e-6).all()),
        Text(
            "Some position's logits don't change with its own token or an earlier one: too much is hidden.",
            "자기 토큰이나 앞의 어떤 토큰이 바뀌어도 로짓이 그대로인 위치가 있습니다. 너무 많이 가렸습니다.",
        ),
    )


def test_decoder_positions(probe: Probe, draw: Draw) -> None:
    expect_positions(probe, "decoder", draw)


def test_decoder_padding(probe: Probe, draw: Draw) -> None:
    model = LanguageModel(probe, draw, "decoder")
    expect_padding_hidden(model, model.padded(draw), draw)


def test_decoder_dropout(probe: Probe, draw: Draw) -> None:
    expect_model_dropout(probe, draw, "decoder")


def test_decoder_values(probe: Probe, draw: Draw) -> None:
    expect_values(probe, draw, "decoder")


# --- pooling ---------------------------------------------------------------------------------------------------------

POOLED = Text("the pooled vectors", "모은 벡터")
POOLED_SHAPE = "(batch, dim)"


def _vectors(draw: Draw, pad_id: int = 0) -> tuple[Array, np.ndarray]:
    """Draw vectors (batch, seq_len, dim) and ids; every sequence has another number of tokens, one has no padding."""
    batch, length, dim = 4, draw.integer(7, 9), draw.choice([3, 5])
    ids = draw.integers(1, 40, batch, length)
    ids[ids == pad_id] = 41
    for row, count in zip(ids[1:], draw.distinct(batch - 1, 2, length - 3), strict=True):
        row[length - count :] = pad_id
    ids[1, 0] = pad_id
    ids[3] = np.where(np.arange(length) == draw.integer(0, length - 1), 41, pad_id)  # a single token
    return draw.normal(batch, length, dim) + 1.0, ids


def test_pooling_shape(probe: Probe, draw: Draw) -> None:
    x, ids = _vectors(draw)
    expect_shape(probe.call("masked_mean_pooling", x, ids), (len(x), x.shape[2]), POOLED_SHAPE)


def test_pooling_mean(probe: Probe, draw: Draw) -> None:
    x, ids = _vectors(draw)
    for some in (slice(None), slice(1, None)):  # with and without a sequence that has no padding
        answer = probe.call("masked_mean_pooling", x[some], ids[some])
        expect_close(answer, oracle.masked_mean_pooling(x[some], ids[some]), POOLED, POOLED_SHAPE)


def test_pooling_pad_id(probe: Probe, draw: Draw) -> None:
    pad_id = draw.integer(5, 30)
    x, ids = _vectors(draw, pad_id)
    ids[2, 1] = 0  # an ordinary token now
    answer = probe.call("masked_mean_pooling", x, ids, pad_id=pad_id)
    expect_close(answer, oracle.masked_mean_pooling(x, ids, pad_id), POOLED, POOLED_SHAPE)


def test_pooling_empty(probe: Probe, draw: Draw) -> None:
    x, ids = _vectors(draw)
    ids[1] = 0
    rows = expect_shape(probe.call("masked_mean_pooling", x, ids), (len(ids), x.shape[2]), POOLED_SHAPE)
    right = oracle.masked_mean_pooling(x, ids)
    tokens = np.arange(len(ids)) != 1
    others = np.allclose(rows[tokens], right[tokens], atol=STILL)
    what = Text("the pooled vector of a sequence that is all padding", "패딩뿐인 시퀀스를 모은 벡터")
    expect_close(rows[1], np.zeros(x.shape[2]), what)
    if is_close(probe.call("masked_mean_pooling", x[tokens], ids[tokens]), right[tokens]):
        expect_that(
            others,
            Text(
                "A sequence that is all padding changes the vectors of the others.",
                "패딩뿐인 시퀀스가 있으면 다른 시퀀스의 벡터가 달라집니다.",
            ),
        )
    single = expect_shape(probe.call("masked_mean_pooling", x[2:3], ids[2:3]), (1, x.shape[2]), POOLED_SHAPE)
    if others:
        what = Text("the pooled vector of a single sequence", "시퀀스가 하나일 때 모은 벡터")
        expect_close(single, right[2:3], what, POOLED_SHAPE)


# --- sampling --------------------------------------------------------------------------------------------------------

DRAWS = 2000  # for each of the distributions of a call


class Drawing:
    """Distributions over the same probabilities, each in another order, and many draws from them.

    Args:
        probe: the probe that asks the student's `sample`.
        draw: the random numbers of the rubric line.
        is_uneven: make one distribution steeper and one flatter than the first.

    Attributes:
        logits: (distributions, vocab_size).
        chances: the probabilities, the largest first.
    """

    def __init__(self, probe: Probe, draw: Draw, *, is_uneven: bool = False) -> None:
        self.probe, self.draw = probe, draw
        ratio = draw.uniform(0.6, 0.68)
        size = draw.integer(8, 10)
        weights = ratio ** np.arange(size) * draw.uniform(0.92, 1.08, size)
        self.chances = weights / weights.sum()
        order = np.stack([draw.rng.permutation(size) for _ in range(3)])
        self.logits = np.log(self.chances)[order] + draw.uniform(-3.0, 3.0, 3)[:, None]
        if is_uneven:
            self.logits *= np.array([[1.0], [2.5], [0.4]])

    def counts(self, offset: float | Array = 0.0, seed: int | None = None, **options: Any) -> Array:
        """Return how often each token was drawn from each distribution: (distributions, vocab_size)."""
        size = self.logits.shape[1]
        ids = self.ids(offset, seed, **options).reshape(DRAWS, len(self.logits))
        return np.stack([np.bincount(column, minlength=size).astype(float) for column in ids.T])

    def ids(self, offset: float | Array = 0.0, seed: int | None = None, **options: Any) -> np.ndarray:
        """Return the ids that were drawn, once they are ids: one a row, the distributions in turns."""
        rows = np.tile(self.logits + offset, (DRAWS, 1))
        chosen = self.draw.integer(0, 2**31) if seed is None else seed
        answer = self.probe.call("sample", rows, self.probe.define(GENERATORS, "generator", chosen), **options)
        size = self.logits.shape[1]
        drawn = expect_shape(answer, (len(rows),), "(batch,)")
        expect_that(
            bool(np.isin(drawn, np.arange(size)).all()),
            Text(
                "What is drawn isn't an id from 0 to vocab_size - 1.",
                "뽑힌 것이 0부터 vocab_size - 1까지의 ID가 아닙니다.",
            ),
        )
        return drawn.astype(np.int64)

    def changes(self, ids: np.ndarray) -> bool:
        """Whether the tokens drawn from a distribution in the first half of the rows are others than in the second."""
        statistic, freedom, size = 0.0, 0, self.logits.shape[1]
        for column in ids.reshape(DRAWS, len(self.logits)).T:
            early, late = (np.bincount(half, minlength=size) for half in np.split(column, 2))
            usual = early + late > 20
            statistic += float(((early - late)[usual] ** 2 / (early + late)[usual]).sum())
            freedom += int(usual.sum())
        return _is_too_uneven(statistic, freedom)

    def fits(self, counts: Array, chances: Array) -> bool:
        """Whether the counts are what draws from these probabilities give."""
        if counts[chances == 0].any():
            return False
        statistic, freedom = 0.0, -len(counts)
        for of_row, expected in zip(counts, DRAWS * chances, strict=True):
            usual = expected > 10  # rarer ones are counted together
            for got, right in (
                *zip(of_row[usual], expected[usual], strict=True),
                (of_row[~usual].sum(), expected[~usual].sum()),
            ):
                if right > 0:
                    statistic, freedom = statistic + (got - right) ** 2 / right, freedom + 1
        return not _is_too_uneven(float(statistic), freedom)

    def expect(self, what: Text, counts: Array | None = None, **options: Any) -> None:
        """Miss unless tokens come as often as they are likely.

        Args:
            what: the arguments, as in "with top_k=3".
            counts: how often each token came; None: the student's code is asked.
            options: the arguments.
        """
        if counts is None:
            try:
                counts = self.counts(**options)
            except AnswerRaised as error:
                failed = Text(f"It doesn't work: {what.en}.", f"동작하지 않습니다: {what.ko}.")
                raise Miss(failed + error.text) from None
        right = self.distribution(**options)
        if self.fits(counts, right):
            return
        text = Text(
            f"Tokens are drawn with other shares than they should be: {what.en}.",
            f"토큰이 뽑히는 비율이 맞지 않습니다: {what.ko}.",
        )
        if counts[right == 0].any():
            text = Text(
                f"Tokens are drawn that should have been left out: {what.en}.",
                f"빠졌어야 할 토큰이 뽑힙니다: {what.ko}.",
            )
        elif ((counts == 0) & (DRAWS * right > 40)).any():
            text = Text(
                f"Some tokens are never drawn, though they should be: {what.en}.",
                f"뽑혀야 할 토큰이 한 번도 뽑히지 않습니다: {what.ko}.",
            )
        raise Miss(text)

    def distribution(self, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None) -> Array:
        """Return the oracle's probabilities."""
        return oracle.next_token_distribution(self.logits, temperature, top_k, top_p)

    def apart(self) -> float:
        """Return a top_p that no sum of the likeliest tokens of any distribution is near."""
        sums = np.cumsum(np.sort(self.distribution(), axis=1)[:, ::-1], axis=1)
        return max((0.55, 0.6, 0.65, 0.7, 0.75, 0.8), key=lambda top_p: float(np.abs(sums - top_p).min()))

    def between(self, count: int, temperature: float = 1.0, top_k: int | None = None) -> float:
        """Return a top_p that the `count` likeliest tokens reach and one less don't, by a wide margin."""
        sums = np.cumsum(np.sort(self.distribution(temperature, top_k)[0])[::-1])
        return float((sums[count - 2] + sums[count - 1]) / 2)


def test_sample_shape(probe: Probe, draw: Draw) -> None:
    Drawing(probe, draw).ids()


def test_sample_frequencies(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    counts = drawing.counts()
    expect_that(
        bool(((counts > 0).sum(axis=1) > 1).any()),
        Text(
            "Equal rows of a batch always get the same token: each row is drawn for by itself.",
            "배치의 같은 행에서 언제나 같은 토큰이 나옵니다. 행마다 따로 뽑아야 합니다.",
        ),
    )
    drawing.expect(Text("with no other arguments", "다른 인수가 없을 때"), counts)
    expect_that(
        not drawing.changes(drawing.ids()),
        Text(
            "The first rows of a batch get other tokens than the last, though they are equal: each row is drawn for by itself.",
            "같은 행인데도 배치의 앞쪽과 뒤쪽에서 서로 다른 토큰이 나옵니다. 행마다 따로 뽑아야 합니다.",
        ),
    )
    seed = draw.integer(0, 10**6)
    expect_generator(drawing.ids(seed=seed), drawing.ids(seed=seed), drawing.ids(seed=seed + 1))


def test_sample_large(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    apart = np.array([[-2000.0], [2000.0], [0.0]])
    for offset in (2000.0, apart):
        try:
            drawing.expect(Text("with logits in the thousands", "로짓이 수천일 때"), drawing.counts(offset))
        except (Miss, AnswerRaised) as error:
            text = Text(
                "Logits in the thousands don't give the same as small ones: did the exponential overflow?",
                "로짓이 수천이면 작을 때와 다른 결과가 나옵니다. 지수 함수가 오버플로하지 않았나요?",
            )
            raise Miss(text if isinstance(error, Miss) else text + error.text) from None


def test_sample_temperature(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    for temperature in (draw.choice([0.25, 0.3, 0.35]), draw.choice([1.8, 2.0, 2.5])):
        drawing.expect(Text("with a temperature", "온도를 줄 때"), temperature=temperature)


def test_sample_greedy(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    what = Text("at temperature 0, which takes the largest logit", "가장 큰 로짓을 고르는 온도 0일 때")
    drawing.expect(what, temperature=0)
    drawing.expect(what, temperature=0, top_k=3, top_p=0.9)
    for options in ({}, {"temperature": 0}):
        single = probe.call("sample", drawing.logits[:1], _generator(probe, draw), **options)
        chosen = expect_shape(single, (1,), "(batch,)")
        possible = drawing.distribution(0)[0] > 0 if options else drawing.chances > 0
        expect_that(
            bool(np.isin(chosen, np.flatnonzero(possible)).all()),
            Text(
                "With a single row another token comes than may come.",
                "행이 하나뿐일 때 나올 수 없는 토큰이 나옵니다.",
            ),
        )


def test_sample_top_k(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    for top_k in (draw.integer(3, 4), 1):
        drawing.expect(Text(f"with top_k={top_k}", f"top_k={top_k}일 때"), top_k=top_k)
    drawing.expect(Text("with top_k=0, which keeps all", "모두 남기는 top_k=0일 때"), top_k=0)


def test_sample_top_p(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    small = float(drawing.chances.max() / 2)
    # the least likely tokens that reach a large top_p are nearly all
    probe.tell_apart(lambda: drawing.ids(top_p=small))
    # one that compares each probability with 1 - top_p keeps two here, one that adds up what doesn't sum to 1 keeps one
    probe.tell_apart(lambda: drawing.ids(top_p=0.8))
    drawing.expect(Text("with top_p", "top_p를 줄 때"), top_p=drawing.between(draw.integer(3, 4)))
    drawing.expect(Text("with a small top_p", "top_p가 작을 때"), top_p=small)
    large = drawing.between(len(drawing.chances) - 1)
    drawing.expect(Text("with a large top_p", "top_p가 클 때"), top_p=large)
    drawing.expect(Text("with top_p=1.0, which keeps all", "모두 남기는 top_p=1.0일 때"), top_p=1.0)
    uneven = Drawing(probe, draw, is_uneven=True)
    what = Text(
        "with top_p and rows that keep different numbers of tokens", "top_p를 주고 행마다 남는 토큰의 수가 다를 때"
    )
    uneven.expect(what, top_p=uneven.apart())


def test_sample_together(probe: Probe, draw: Draw) -> None:
    drawing = Drawing(probe, draw)
    two: dict[str, Any] = {"temperature": 2.0, "top_p": drawing.between(4, 2.0)}
    drawing.expect(Text("with temperature and top_p", "온도와 top_p를 함께 줄 때"), **two)
    three: dict[str, Any] = {"temperature": 2.0, "top_k": 5, "top_p": drawing.between(3, 2.0, 5)}
    drawing.expect(Text("with temperature, top_k and top_p", "온도, top_k, top_p를 함께 줄 때"), **three)
    seed = draw.integer(0, 10**6)
    expect_generator(*(drawing.ids(seed=each, **three) for each in (seed, seed, seed + 1)))


# --- kv-cache --------------------------------------------------------------------------------------------------------

OUTPUT_SHAPE = "(batch, 1, d_model)"
CACHE_SHAPE = "(batch, num_heads, past_len + 1, head_dim)"
STEP = "(output, (keys, values))"
WHOLE = "(batch, seq_len, d_model)"


class Steps:
    """A sequence of vectors that the student's function goes through one position at a time.

    Attributes:
        x: (batch, seq_len, d_model).
        matrices: of query, key, value and output, each (d_model, d_model).
        outputs: what the steps so far gave, each (batch, 1, d_model).
        keys, values: the newest cache's.
    """

    def __init__(self, probe: Probe, draw: Draw, batch: int, length: int, heads: int, head_dim: int) -> None:
        self.probe, self.heads, self.head_dim = probe, heads, head_dim
        d_model = heads * head_dim
        self.x = draw.normal(batch, length, d_model)
        self.matrices = list(draw.normal(4, d_model, d_model, scale=1.3 / math.sqrt(d_model)))
        self.cache: Any = None
        self.own: Any = None
        self.is_stored = False
        self.outputs: list[Array] = []

    def step(self) -> None:
        """Take the next position."""
        position = len(self.outputs)
        batch, _, d_model = self.x.shape
        answer = self._answer(position)
        output, cache = expect_tuple(answer, 2, STEP)
        # a list of two equal arrays arrives as one array
        pair = tuple(cache) if isinstance(cache, np.ndarray) and cache.ndim == 5 else cache
        if isinstance(pair, np.ndarray) and isinstance(output, tuple):
            raise Miss(Text(f"It should return {STEP}, in this order.", f"{STEP}을(를) 이 순서로 돌려주어야 합니다."))
        self.outputs.append(expect_shape(output, (batch, 1, d_model), OUTPUT_SHAPE))
        shape = (batch, self.heads, position + 1, self.head_dim)
        if isinstance(pair, np.ndarray):
            expect_shape(pair, shape, CACHE_SHAPE)
        keys, values = expect_tuple(pair, 2, "(keys, values)")
        self.keys = expect_shape(keys, shape, f"keys {CACHE_SHAPE}")
        self.values = expect_shape(values, shape, f"values {CACHE_SHAPE}")
        self.cache = pair

    def _answer(self, position: int) -> Any:
        """Return what the next step gives.

        A cache goes back as a tuple of arrays. Where that doesn't work, the student's own goes back: it may be a list that
        grows, or a tuple with names.
        """
        newest = self.x[:, position : position + 1]
        if not self.is_stored:
            try:
                return self.probe.call("cached_attention_step", newest, self.cache, *self.matrices, self.heads)
            except AnswerRaised as error:
                if self.cache is None:
                    raise
                raised = error
            try:
                for earlier in range(position):
                    self._own_answer(earlier)
                answer = self._own_answer(position)
            except AnswerRaised:
                raise raised from None
            self.is_stored = True
            return answer
        return self._own_answer(position)

    def _own_answer(self, position: int) -> Any:
        newest = self.x[:, position : position + 1]
        kept = self.probe.layer("cached_attention_step", newest, self.own, *self.matrices, self.heads)
        self.own = self.probe.define(GENERATORS, "part", kept, 1)
        return self.probe.define(GENERATORS, "teller", kept)()

    def walk(self) -> Array:
        """Take all positions and return their outputs (batch, seq_len, d_model)."""
        while len(self.outputs) < self.x.shape[1]:
            self.step()
        return np.concatenate(self.outputs, axis=1)

    def leaves_cache_alone(self) -> bool:
        """Whether a step leaves the arrays of the cache that it is given as they are; a cache of a kind of its own isn't looked at."""
        arrays = self.projected(1), self.projected(2)
        given = self.probe.define(GENERATORS, "pair", *arrays)
        try:
            self.probe.layer("cached_attention_step", self.x[:, :1], given, *self.matrices, self.heads)
        except AnswerRaised:
            return True
        after = expect_tuple(self.probe.define(GENERATORS, "teller", given)(), 2, "(keys, values)")
        return all(is_close(now, before) for now, before in zip(after, arrays, strict=True))

    def projected(self, matrix: int) -> Array:
        """Return all positions' keys (1) or values (2): (batch, num_heads, seq_len, head_dim)."""
        batch, length, _ = self.x.shape
        columns = (self.x @ self.matrices[matrix]).reshape(batch, length, self.heads, self.head_dim)
        return np.asarray(columns.transpose(0, 2, 1, 3))

    def right(self) -> Array:
        """Return the outputs of one pass over everything."""
        query, key, value, output = self.matrices
        return oracle.causal_attention(self.x, query, key, value, output, self.heads)


def test_cache_shapes(probe: Probe, draw: Draw) -> None:
    Steps(probe, draw, batch=2, length=3, heads=3, head_dim=5).walk()


def test_cache_first(probe: Probe, draw: Draw) -> None:
    steps = Steps(probe, draw, batch=2, length=1, heads=3, head_dim=5)
    _, _, w_value, w_output = steps.matrices
    what = Text("the output at the first position", "첫 위치의 출력")
    expect_close(steps.walk(), steps.x @ w_value @ w_output, what, OUTPUT_SHAPE)


def test_cache_contents(probe: Probe, draw: Draw) -> None:
    steps = Steps(probe, draw, batch=2, length=4, heads=3, head_dim=5)
    steps.walk()
    for got, matrix, name in ((steps.keys, 1, "keys"), (steps.values, 2, "values")):
        what = Text(f"the {name} in the cache after some steps", f"몇 걸음 뒤 캐시의 {name}")
        expect_close(got, steps.projected(matrix), what, CACHE_SHAPE)


def test_cache_outputs(probe: Probe, draw: Draw) -> None:
    steps = Steps(probe, draw, batch=2, length=7, heads=3, head_dim=5)
    expect_close(steps.walk(), steps.right(), Text("the outputs of the steps", "걸음들의 출력"), WHOLE)


def test_cache_long(probe: Probe, draw: Draw) -> None:
    for batch, length, heads, head_dim in ((5, 48, 2, 3), (1, 9, 1, 8)):
        steps = Steps(probe, draw, batch, length, heads, head_dim)
        expect_close(steps.walk(), steps.right(), Text("the outputs of many steps", "많은 걸음의 출력"), WHOLE)
    pair = [Steps(probe, draw, batch=2, length=4, heads=3, head_dim=5) for _ in range(2)]
    for steps in pair * 4:
        steps.step()
    for steps in pair:
        what = Text("the outputs of two sequences that take turns", "번갈아 걷는 두 시퀀스의 출력")
        right = steps.right()
        got = np.concatenate(steps.outputs, axis=1)
        # each was right by itself
        expect_that(
            bool(np.allclose(got, right, atol=STILL)),
            Text(
                f"Wrong values in {what.en}: all that a step needs to know is in its arguments.",
                f"{what.ko}의 값이 틀렸습니다. 걸음에 필요한 것은 모두 인수에 있습니다.",
            ),
        )
    expect_that(
        pair[0].leaves_cache_alone(),
        Text(
            "The cache that was given has changed. A step returns a new one.",
            "받은 캐시가 바뀌었습니다. 걸음마다 새 캐시를 돌려주어야 합니다.",
        ),
    )
