"""Whole models compared by value, whatever they are built of and whatever their weights are called.

Every attention of a model gets the same numbers, and so does every feed-forward and every normalisation. Then it makes no difference
which of them a student created first or called how: the shape of a weight and its first value say all that is needed. A kernel
of as many entries as (d_model, d_model) belongs to a projection, whether its heads are spelled out or not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from autograder.grading import Array, Draw, Weight

from . import transformer_reference as oracle

__all__ = ["Alike", "Held", "is_matrix_of", "shaken"]

Values = Sequence[tuple[Weight, Array]]


@dataclass(frozen=True)
class Held:
    """How square kernels, and those of feed-forwards, hold their numbers: which of these it is their shapes don't tell.

    Attributes:
        heads_last: every num_heads-th feature belongs to a head, not neighbouring ones.
        gains_from_zero: a normalisation multiplies by 1 plus its weight, which begins as zeros, like a shift.
        attention_turned, feed_forward_turned, output_turned: the kernels are (outputs, inputs), as PyTorch has them.
    """

    heads_last: bool = False
    gains_from_zero: bool = False
    attention_turned: bool = False
    feed_forward_turned: bool = False
    output_turned: bool = False


class Alike:
    """Numbers for a model's weights, the same for all of a kind.

    Args:
        draw: the random numbers that the weights are made of.
        d_model: width.
        ff_dim: inner width; not d_model.
        vocab_size: number of tokens; 0 if the output is d_model wide.
        num_heads: number of heads of every attention.
    """

    def __init__(self, draw: Draw, d_model: int, ff_dim: int, vocab_size: int = 0, num_heads: int = 1) -> None:
        self.d_model, self.ff_dim, self.vocab_size, self.num_heads = d_model, ff_dim, vocab_size, num_heads
        self.projection = oracle.Dense(
            draw.normal(d_model, d_model, scale=1.1 / math.sqrt(d_model)), draw.normal(d_model, scale=0.4)
        )
        inner = oracle.Dense(
            draw.normal(d_model, ff_dim, scale=1.2 / math.sqrt(d_model)), draw.normal(ff_dim, scale=0.4)
        )
        # a vector of d_model zeros may be a bias or a normalisation's shift: all of them get the same numbers
        outer = oracle.Dense(draw.normal(ff_dim, d_model, scale=1.2 / math.sqrt(ff_dim)), self.projection.bias)
        self.feed_forward = oracle.FeedForward(inner, outer)
        self.gamma = draw.uniform(0.6, 1.5, d_model)
        self.table = draw.normal(vocab_size, d_model, scale=1 / math.sqrt(d_model))
        self.output = oracle.Dense(
            draw.normal(d_model, vocab_size, scale=1.2 / math.sqrt(d_model)), draw.normal(vocab_size, scale=0.4)
        )

    def fill(self, values: Values) -> list[Array] | None:
        """Return a number for every entry of a model's weights, given their first values; None if one can't be placed."""
        fused = {shape for n in (2, 3) for shape in ((self.d_model, n * self.d_model), (n * self.d_model,))}
        if any(weight.trainable and weight.shape in fused for weight, _ in values):
            self._make_heads_alike()
        filled = [self._place(weight, first) for weight, first in values]
        return None if any(part is None for part in filled) else [part for part in filled if part is not None]

    def ways(self, values: Values) -> list[Held]:
        """Return in which ways a model's kernels may hold the numbers that they were filled with, the usual one first.

        What is called as Keras calls it is (inputs, outputs).
        """
        d, inner = self.d_model, self.ff_dim
        squares = [weight for weight, _ in values if weight.trainable and weight.shape == (d, d)]
        others = [weight for weight, _ in values if weight.trainable and weight.shape in ((d, inner), (inner, d))]
        of_keras = [weight.path.rpartition("/")[2] == "kernel" for weight in squares]
        may_turn = (
            bool(squares) and not all(of_keras),
            any(weight.path.rpartition("/")[2] != "kernel" for weight in others),
            bool(squares) and not any(of_keras) and not self.vocab_size,
        )
        begins_with_ones = any(weight.trainable and (first == 1).any() for weight, first in values)
        heads_last, *turned = [(False, True) if may else (False,) for may in (bool(squares), *may_turn)]
        choices = [heads_last, (not begins_with_ones,), *turned]
        return sorted((Held(*each) for each in itertools.product(*choices)), key=lambda held: sum(astuple(held)))

    def _make_heads_alike(self) -> None:
        """Give every head the same columns: in a kernel for queries, keys and values it is open whose columns come first."""
        width = self.d_model // self.num_heads
        self.projection = oracle.Dense(
            np.tile(self.projection.kernel[:, :width], self.num_heads),
            np.tile(self.projection.bias[:width], self.num_heads),
        )
        outer = oracle.Dense(self.feed_forward.outer.kernel, self.projection.bias)
        self.feed_forward = oracle.FeedForward(self.feed_forward.inner, outer)

    def _place(self, weight: Weight, first: Array) -> Array | None:
        d, size, shape = self.d_model, first.size, weight.shape
        if not weight.trainable:
            return first
        if len(shape) == 3 and shape[0] == 1:  # a convolution of width 1 is a dense layer
            placed = self._place(Weight(weight.path, shape[1:], True), first[0])
            return None if placed is None else placed[None]
        of_shape: dict[tuple[int, ...], Array] = {
            (d, self.ff_dim): self.feed_forward.inner.kernel,
            (self.ff_dim, d): self.feed_forward.outer.kernel,
            (self.ff_dim,): self.feed_forward.inner.bias,
        }
        if self.vocab_size:
            of_shape |= {
                (self.vocab_size, d): self.table,
                (d, self.vocab_size): self.output.kernel,
                (self.vocab_size,): self.output.bias,
            }
        if shape in of_shape:
            return of_shape[shape]
        if len(shape) == 3 and shape[1] == d and shape[0] * shape[2] == d:  # heads first
            return self.projection.kernel.reshape(d, shape[0], shape[2]).transpose(1, 0, 2)
        if size == d * d:
            return self.projection.kernel.reshape(shape)
        if shape in ((2, d), (d, 2)) and np.isin(first, (0, 1)).all():  # a normalisation's gain and shift in one
            gain, shift = (each if shape[0] == 2 else each[:, None] for each in (self.gamma, self.projection.bias))
            return np.where(first == 1, gain, shift)
        if size == d and (first == 1).all():
            return self.gamma.reshape(shape)
        if size == d and (first == 0).all():
            return self.projection.bias.reshape(shape)
        for together in (2, 3):  # keys and values, or queries too, in one kernel
            if shape == (d, together * d):
                return np.tile(self.projection.kernel, together)
            if shape == (together * d,):
                return np.tile(self.projection.bias, together)
        return None

    def weights(
        self,
        num_encoder_blocks: int,
        num_decoder_blocks: int,
        *,
        epsilons: tuple[float, float, float] = (1e-6, 1e-6, 1e-6),
        last_norms: bool = False,
        tied: bool = False,
        output_bias: bool = True,
        embeds_by_kernel: bool = False,
        held: Held = Held(),
    ) -> oracle.TransformerWeights:
        """Return the oracle's weights of a model filled with these numbers.

        Args:
            num_encoder_blocks, num_decoder_blocks: how many blocks the stacks have.
            epsilons: what is added to the variance in the encoder's norms, the decoder's and the last ones.
            last_norms: whether each stack ends with a normalisation.
            tied: whether the output multiplies by the embedding's table.
            output_bias: whether the output has a bias.
            embeds_by_kernel: whether ids select columns of the output's kernel, which then is the only matrix of the vocabulary's size.
            held: how kernels and gains hold their numbers.
        """
        shift = self.projection.bias
        gain = 1 + shift if held.gains_from_zero else self.gamma
        encoder_norm, decoder_norm, last_norm = (oracle.Norm(gain, shift, e) for e in epsilons)
        attention, feed_forward = self._attention(held), self.feed_forward
        if held.feed_forward_turned:
            inner, outer = feed_forward.inner, feed_forward.outer
            feed_forward = oracle.FeedForward(
                oracle.Dense(outer.kernel.T, inner.bias), oracle.Dense(inner.kernel.T, outer.bias)
            )
        output = self.output
        if not self.vocab_size:
            kernel = self.projection.kernel.T if held.output_turned else self.projection.kernel
            output = oracle.Dense(kernel, self.projection.bias)
        if tied:
            output = oracle.Dense(self.table.T, self.output.bias)
        if not output_bias:
            output = oracle.Dense(output.kernel, np.zeros_like(output.bias))
        last = last_norm if last_norms else None
        table = self.output.kernel.T if embeds_by_kernel else self.table
        return oracle.TransformerWeights(
            [oracle.EncoderWeights(attention, feed_forward, (encoder_norm, encoder_norm))] * num_encoder_blocks,
            [oracle.DecoderWeights(attention, attention, feed_forward, (decoder_norm, decoder_norm, decoder_norm))]
            * num_decoder_blocks,
            output,
            last,
            last,
            table,
            table,
        )

    def _attention(self, held: Held) -> oracle.Attention:
        kernel, bias = self.projection.kernel, self.projection.bias
        if held.attention_turned:
            kernel = kernel.T
        into = out_of = oracle.Dense(kernel, bias)
        if held.heads_last:
            order = np.arange(self.d_model).reshape(-1, self.num_heads).T.ravel()
            into, out_of = oracle.Dense(kernel[:, order], bias[order]), oracle.Dense(kernel[order], bias)
        return oracle.Attention(into, into, into, out_of)


def is_matrix_of(weight: Weight, rows: int, columns: int) -> bool:
    """Whether a weight is a trainable (rows, columns)."""
    return weight.trainable and weight.shape == (rows, columns)


def shaken(values: Values, draw: Draw) -> list[Array]:
    """Return random numbers for a model's weights of any kind: what starts as ones or zeros leaves them, kernels keep unit size."""
    numbers = []
    for weight, first in values:
        noise = draw.normal(*weight.shape) if weight.shape else draw.normal(1).reshape(())
        if not weight.trainable:
            numbers.append(first)
        elif first.ndim < 2 or (first == 0).all() or (first == 1).all():
            numbers.append(first + 0.3 * noise)
        else:
            inputs = first[..., 0].size if first.ndim != 2 else min(first.shape)
            numbers.append(noise / math.sqrt(inputs))
    return numbers
