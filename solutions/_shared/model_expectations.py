"""What the graders of 06 and 09 ask of whole models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograder.base.errors import AnswerError
from autograder.base.text import Text
from autograder.grading import Array, Draw, Layer, Miss, Probe, Weight, expect_close, expect_that

from . import influence
from .dropout import STILL
from .uniform_weights import UniformWeights, Values, is_matrix_of, random_weights

__all__ = ["FilledModel", "TokenModel", "expect_finite", "build_once", "moves", "succeeds"]


class FilledModel:
    """A student's model whose weights a rubric line has set to numbers of the line's own.

    Most of the time that grading a model takes goes into building it, so the lines of a task share one model.

    Args:
        draw: the random numbers for weights of a kind that `uniform` doesn't know.
        built: the model, and each of its weights with its initial value; `build_once` returns both.
        uniform: the numbers for each kind of weight.
        own: (weight) -> the array to assign to a weight instead of the usual numbers; None: the usual numbers.

    Attributes:
        model: the model that is called.
        values: each weight of the model with its initial value.
        uniform: the numbers for each kind of weight.
        numbers: for each weight the array that it is set to.
        has_own: for each weight whether its array comes from `own`.
        matches: whether `uniform` knows the kind of every weight; only then can the model be compared with the reference by value.
    """

    def __init__(
        self,
        draw: Draw,
        built: tuple[Layer, Values],
        uniform: UniformWeights,
        own: Callable[[Weight], Array | None] = lambda weight: None,
    ) -> None:
        self.model, self.values = built
        self.uniform = uniform
        own_numbers = [own(weight) for weight, _ in self.values]
        self.has_own = [numbers is not None for numbers in own_numbers]
        rest = [pair for pair, numbers in zip(self.values, own_numbers, strict=True) if numbers is None]
        filled = uniform.fill(rest)
        self.matches = filled is not None
        usual = iter(random_weights(rest, draw) if filled is None else filled)
        self.numbers = [next(usual) if numbers is None else numbers for numbers in own_numbers]
        self.restore()

    def restore(self) -> None:
        """Set the weights to this line's numbers again."""
        if self.values:
            self.model.set_values(self.numbers)

    def count(self) -> int:
        """Return the number of trainable parameters, each variable once."""
        return sum(first.size for weight, first in self.values if weight.trainable)

    def has(self, *shape: int) -> bool:
        """Whether there is a trainable weight of a shape."""
        return any(weight.trainable and weight.shape == shape for weight, _ in self.values)

    def expect(
        self, answer: Array, right: Iterable[Array], what: Text, words: str, alone: Callable[[list[int]], Array]
    ) -> None:
        """Miss unless an answer is right by value, or is the same for each sequence alone if the model can't be compared.

        Args:
            answer: (batch, …).
            right: what the oracle gives, in each style that the task leaves open.
            what: the answer, as the subject of a sentence.
            words: the answer's shape in words.
            alone: (rows) -> the answer to these sequences of the batch alone.
        """
        if self.matches:
            _expect_one_of(answer, right, what, words)
            return
        apart = np.concatenate([alone([row]) for row in range(len(answer))])
        expect_that(
            bool(np.allclose(apart, answer, rtol=STILL, atol=STILL)),
            Text(
                "A sequence has another output in a batch than alone.",
                "같은 시퀀스인데 배치에 있을 때와 혼자일 때 출력이 다릅니다.",
            ),
        )


class TokenModel(FilledModel):
    """A model over tokens, id 0 of which is padding.

    Attributes:
        vocab_size: number of tokens.
        max_len: of a sequence.
        d_model: width of the embeddings.
    """

    vocab_size: int
    max_len: int
    d_model: int

    def ids(self, draw: Draw, batch: int, length: int = 0) -> np.ndarray:
        """Draw ids (batch, length) without padding; the length is max_len if none is given."""
        return draw.integers(1, self.vocab_size - 1, batch, length or self.max_len).astype(np.int32)

    def others(self, draw: Draw, ids: np.ndarray) -> np.ndarray:
        """Return other ids in every place, none of them padding."""
        shift = draw.integers(1, self.vocab_size - 2, *ids.shape)
        return ((ids - 1 + shift) % (self.vocab_size - 1) + 1).astype(np.int32)

    def has_output_bias(self) -> bool:
        """Whether there is a bias of the vocabulary's size."""
        return self.has(self.vocab_size)

    def has_output_kernel(self) -> bool:
        """Whether the output has a matrix of its own; else it can only use an embedding's."""
        return self.has(self.d_model, self.vocab_size)

    def embeds_by_kernel(self) -> bool:
        """Whether the only matrix of the vocabulary's size is (d_model, vocab_size), an output's kernel: ids can only select its columns."""
        return self.matrices() == [(self.d_model, self.vocab_size)]

    def matrices(self) -> list[tuple[int, ...]]:
        """Return the shapes of the matrices of the vocabulary's size."""
        sizes = sorted((self.vocab_size, self.d_model))
        return [weight.shape for weight, _ in self.values if weight.trainable and sorted(weight.shape) == sizes]

    def empty_blocks(self) -> None:
        """Make blocks add nothing: kernels become 0, but for those of the vocabulary's size and positions; normalisations get their initial values."""
        of_vocabulary = self.matrices()

        def emptied(first: Array) -> Array:
            is_of_norm = first.size <= 2 * self.d_model and np.isin(first, (0, 1)).all()
            return first if is_of_norm else np.zeros_like(first)

        self.model.set_values(
            [
                numbers if own or not weight.trainable or weight.shape in of_vocabulary else emptied(first)
                for (weight, first), numbers, own in zip(self.values, self.numbers, self.has_own, strict=True)
            ]
        )

    def expect_logits(
        self,
        logits: Array,
        right: Iterable[Array],
        tokens: np.ndarray,
        what: Text,
        alone: Callable[[list[int]], Array],
    ) -> None:
        """Miss as `expect` does, by the logits of tokens alone if there is padding.

        Args:
            logits: (batch, seq_len, vocab_size).
            right: what the oracle gives, in each style that the task leaves open.
            tokens: (batch, seq_len), True where a position isn't padding.
            what: the logits, as the subject of a sentence.
            alone: (rows) -> the logits of these sequences of the batch alone.
        """
        if self.matches and not tokens.all():
            logits, right = logits[tokens], (each[tokens] for each in right)
        self.expect(logits, right, what, "(batch, seq_len, vocab_size)", alone)

    def sees_padding(self, ask: Callable[[], Array], draw: Draw) -> bool:
        """Whether logits change when nothing but the vector of id 0 does; False if there is no table of vectors.

        Args:
            ask: () -> logits (…, vocab_size). The logits of id 0 don't count: a tied output makes them of id 0's vector.
            draw: the random source.
        """
        table = self.vocab_size, self.d_model
        if not self.has(*table):
            return False
        before, row = ask(), draw.normal(1, self.d_model)
        self.model.set_values(
            [
                np.concatenate([row, numbers[1:]]) if is_matrix_of(weight, *table) else numbers
                for (weight, _), numbers in zip(self.values, self.numbers, strict=True)
            ]
        )
        after = ask()
        self.restore()
        return not np.allclose(before[..., 1:], after[..., 1:], rtol=STILL, atol=STILL)


def build_once(probe: Probe, example: Any, function: str, *args: Any, **kwargs: Any) -> tuple[Layer, Values]:
    """Return a model that a student's function builds, and each weight with its initial value; a task builds it once.

    Args:
        probe: the probe that asks the student's code of the task.
        example: the input of the model's first call; a subclassed model has no weights before it.
        function: name of the student's function.
        args, kwargs: arguments of the student's function.
    """

    def build() -> tuple[Layer, Values]:
        model = probe.build(function, *args, **kwargs)
        model(example)
        return model, model.values()

    return probe.once(f"{function} {args} {kwargs}", build)


def expect_finite(logits: Array) -> None:
    """Miss if there is a NaN or an infinity in the logits."""
    expect_that(
        bool(np.isfinite(logits).all()),
        Text("There is a NaN or an infinity in the logits.", "로짓에 NaN이나 무한대가 있습니다."),
    )


def moves(ask: Callable[[Array], Array], sequence: Array, other: Array) -> Array:
    """Return what `influence.moves` does; miss if an output is no finite number."""
    moved = influence.moves(ask, sequence, other)
    expect_that(bool(np.isfinite(moved).all()), Text("There is a NaN in the output.", "출력에 NaN이 있습니다."))
    return moved


def succeeds(ask: Callable[[], object]) -> bool:
    """Return whether a question is answered as it should be; where it isn't, another rubric line costs the points."""
    try:
        ask()
    except (AnswerError, Miss):
        return False
    return True


def _expect_one_of(answer: Any, right: Iterable[Array], what: Text, words: str) -> None:
    """Miss unless the answer is close to one of several right ones, of which the first is the likeliest."""
    missed = None
    for expected in right:
        try:
            expect_close(answer, expected, what, words)
            return
        except Miss as miss:
            missed = missed or miss
    if missed is not None:
        raise missed
