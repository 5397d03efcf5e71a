"""Hidden tests of the task `sampling`."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.base.errors import AnswerRaised
from autograder.base.text import Text
from autograder.grading import Array, Draw, Miss, Probe, expect_shape, expect_that

from .. import reference as oracle
from .common import GENERATORS, is_too_uneven, seeded_generator
from .mask_tokens import expect_generator

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
        while len({*order.argmin(axis=1)}) < 3:  # the likeliest token is another in each distribution
            order = np.stack([draw.rng.permutation(size) for _ in range(3)])
        apart = draw.rng.permutation([-3.0, 0.0, 3.0]) + draw.uniform(-0.5, 0.5, 3)
        self.logits = np.log(self.chances)[order] + apart[:, None]
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
        return is_too_uneven(statistic, freedom)

    def fits(self, counts: Array, chances: Array) -> bool:
        """Whether the counts are what draws from these probabilities give."""
        if counts[chances == 0].any():
            return False
        statistic, freedom = 0.0, -len(counts)
        for of_row, expected in zip(counts, DRAWS * chances, strict=True):
            usual = expected > 20  # rarer ones are counted together, with the rarest usual one if they are few
            if usual.sum() > 1 and 0 < expected[~usual].sum() <= 20:
                usual[np.where(usual, expected, np.inf).argmin()] = False
            for got, right in (
                *zip(of_row[usual], expected[usual], strict=True),
                (of_row[~usual].sum(), expected[~usual].sum()),
            ):
                if right > 0:
                    statistic, freedom = statistic + (got - right) ** 2 / right, freedom + 1
        return not is_too_uneven(float(statistic), freedom)

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

    def adds_up_to_less_than_1(self) -> bool:
        """Whether the likeliest probabilities, added up as they are rounded, never reach 1, in float64 and in float32 alike."""
        powers = np.exp(self.logits - self.logits.max(axis=1, keepdims=True))
        chances = np.sort(powers / powers.sum(axis=1, keepdims=True), axis=1)[:, ::-1]
        return all(bool((np.cumsum(chances.astype(t), axis=1)[:, -1] < 1).any()) for t in (np.float64, np.float32))

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
        single = probe.call("sample", drawing.logits[:1], seeded_generator(probe, draw), **options)
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
    while not drawing.adds_up_to_less_than_1():
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
