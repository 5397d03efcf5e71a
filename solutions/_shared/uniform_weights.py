"""Whole models compared with a reference by value, whatever layers they are built of and whatever their weights are called.

Every attention of a model gets the same numbers, and so does every feed-forward network and every normalisation. Then the order in which
a student created the layers, and the names of the weights, make no difference: the shape of a weight and its initial value say of
which kind it is. A kernel with as many entries as (d_model, d_model) belongs to a projection, with or without an axis for the heads.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from autograder.grading import Array, Draw, Weight

from . import transformer_reference as oracle

__all__ = ["UniformWeights", "WeightLayout", "is_matrix_of", "random_weights"]

Values = Sequence[tuple[Weight, Array]]


@dataclass(frozen=True)
class WeightLayout:
    """In which order a model's weights hold their numbers, where the shapes of the weights don't tell it.

    Attributes:
        heads_last: whether every num_heads-th feature belongs to one head, instead of neighbouring features.
        gains_from_zero: whether a normalisation multiplies by 1 plus its weight, which is initially zeros, as a shift is.
        attention_transposed: whether kernels of attention are (outputs, inputs), as PyTorch has them.
        feed_forward_transposed: whether kernels of feed-forward networks are (outputs, inputs).
        output_transposed: whether the kernel of the output projection is (outputs, inputs).
    """

    heads_last: bool = False
    gains_from_zero: bool = False
    attention_transposed: bool = False
    feed_forward_transposed: bool = False
    output_transposed: bool = False


class UniformWeights:
    """Numbers for a model's weights, the same for all weights of one kind.

    Args:
        draw: the random source of the numbers.
        d_model: width of the model.
        ff_dim: inner width of the feed-forward networks; must differ from d_model.
        vocab_size: number of tokens; 0 if the model's output is d_model wide.
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
        """Return an array for each of a model's weights, or None if one is of no known kind.

        Args:
            values: each weight with its initial value.
        """
        fused = {shape for n in (2, 3) for shape in ((self.d_model, n * self.d_model), (n * self.d_model,))}
        if any(weight.trainable and weight.shape in fused for weight, _ in values):
            self._make_heads_alike()
        filled = [self._place(weight, first) for weight, first in values]
        return None if any(part is None for part in filled) else [part for part in filled if part is not None]

    def layouts(self, values: Values) -> list[WeightLayout]:
        """Return the layouts that a model's weights may have, the usual one first.

        A weight that has the name of Keras's own kernels, `kernel`, is (inputs, outputs).

        Args:
            values: each weight with its initial value.
        """
        d, inner = self.d_model, self.ff_dim
        squares = [weight for weight, _ in values if weight.trainable and weight.shape == (d, d)]
        others = [weight for weight, _ in values if weight.trainable and weight.shape in ((d, inner), (inner, d))]
        of_keras = [weight.path.rpartition("/")[2] == "kernel" for weight in squares]
        may_be_transposed = (
            bool(squares) and not all(of_keras),
            any(weight.path.rpartition("/")[2] != "kernel" for weight in others),
            bool(squares) and not any(of_keras) and not self.vocab_size,
        )
        begins_with_ones = any(weight.trainable and (first == 1).any() for weight, first in values)
        heads_last, *transposed = [(False, True) if may else (False,) for may in (bool(squares), *may_be_transposed)]
        choices = [heads_last, (not begins_with_ones,), *transposed]
        return sorted(
            (WeightLayout(*each) for each in itertools.product(*choices)), key=lambda layout: sum(astuple(layout))
        )

    def _make_heads_alike(self) -> None:
        """Give every head the same columns: the order of the columns in one kernel for queries, keys and values isn't known."""
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
        layout: WeightLayout = WeightLayout(),
    ) -> oracle.TransformerWeights:
        """Return the oracle's weights of a model filled with these numbers.

        Args:
            num_encoder_blocks: number of encoder blocks.
            num_decoder_blocks: number of decoder blocks.
            epsilons: what is added to the variance: in the encoder's normalisations, in the decoder's, in those after the stacks.
            last_norms: whether each stack ends with a normalisation.
            tied: whether the output multiplies by the embedding's table.
            output_bias: whether the output has a bias.
            embeds_by_kernel: whether ids select columns of the output's kernel, which then is the only matrix of the vocabulary's size.
            layout: in which order the weights hold their numbers.
        """
        shift = self.projection.bias
        gain = 1 + shift if layout.gains_from_zero else self.gamma
        encoder_norm, decoder_norm, last_norm = (oracle.Norm(gain, shift, e) for e in epsilons)
        attention, feed_forward = self._attention(layout), self.feed_forward
        if layout.feed_forward_transposed:
            inner, outer = feed_forward.inner, feed_forward.outer
            feed_forward = oracle.FeedForward(
                oracle.Dense(outer.kernel.T, inner.bias), oracle.Dense(inner.kernel.T, outer.bias)
            )
        output = self.output
        if not self.vocab_size:
            kernel = self.projection.kernel.T if layout.output_transposed else self.projection.kernel
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

    def _attention(self, layout: WeightLayout) -> oracle.Attention:
        kernel, bias = self.projection.kernel, self.projection.bias
        if layout.attention_transposed:
            kernel = kernel.T
        into = out_of = oracle.Dense(kernel, bias)
        if layout.heads_last:
            order = np.arange(self.d_model).reshape(-1, self.num_heads).T.ravel()
            into, out_of = oracle.Dense(kernel[:, order], bias[order]), oracle.Dense(kernel[order], bias)
        return oracle.Attention(into, into, into, out_of)


def is_matrix_of(weight: Weight, rows: int, columns: int) -> bool:
    """Return whether a weight is a trainable matrix of shape (rows, columns)."""
    return weight.trainable and weight.shape == (rows, columns)


def random_weights(values: Values, draw: Draw) -> list[Array]:
    """Return random arrays for a model's weights of any kind.

    Weights that are initially ones or zeros are moved away from these; kernels keep the size of their outputs.

    Args:
        values: each weight with its initial value.
        draw: the random source.
    """
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
