"""Hidden tests of the task `mask-tokens`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_shape, expect_that, expect_tuple, is_close

from .common import FAR, GENERATORS, is_too_uneven, seeded_generator


def _slack(share: float, count: float) -> float:
    """Return how far the share of `count` draws may be from the right one."""
    return FAR * math.sqrt(max(share * (1 - share), 1e-6) / max(count, 1))


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
        answer = probe.call(
            "mask_tokens", given, seeded_generator(probe, draw), self.vocab_size, self.mask_id, **options
        )
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
        return is_too_uneven(statistic, len(means) - 1)

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
    chosen = masking.selected & masking.tokens
    for axis, text in (
        (
            1,
            Text(
                "In a sequence the selected tokens share one fate: draw for each of them.",
                "한 시퀀스의 고른 토큰들이 같은 결과를 나누어 가집니다. 토큰마다 따로 뽑으세요.",
            ),
        ),
        (
            0,
            Text(
                "The tokens selected in one place of all sequences share one fate: draw for each of them.",
                "모든 시퀀스의 같은 자리에서 고른 토큰들이 같은 결과를 나누어 가집니다. 토큰마다 따로 뽑으세요.",
            ),
        ),
    ):
        counts = chosen.sum(axis=axis)
        of_line = (chosen & (masking.inputs == masking.mask_id)).sum(axis=axis)
        enough = counts > 0
        statistic = float(((of_line - 0.8 * counts)[enough] ** 2 / (0.16 * counts[enough])).sum())
        expect_that(not is_too_uneven(statistic, int(enough.sum())), text)


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
        and not is_too_uneven(float(((counts - expected) ** 2 / expected).sum()), len(ordinary) - 1),
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
