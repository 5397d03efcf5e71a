"""Blocks of the student's as the grader of 05-encoder-decoder-blocks asks them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.base.text import Text
from autograder.grading import TOLERANCE, Array, Draw, Layer, Miss, Probe, Weight, expect_close, expect_shape

from . import reference as oracle
from .stacked_weights import told_apart
from .weight_parts import Parts, Sizes, parts_of
from .weight_roles import Reading, Roles, all_readings, drawn_values

TOKENS = "(batch, seq_len, d_model)"
TARGET = "(batch, target_len, d_model)"
# The others are the defaults of Keras's and of PyTorch's LayerNormalization; each may be in some norms only.
EPSILONS = (oracle.EPSILON, 1e-3, 1e-5)
READINGS_AT_ONCE = 128


def drawn_sizes(draw: Draw) -> Sizes:
    """Return a block's sizes: no two of d_model, num_heads, head_dim and ff_dim are equal or simple multiples."""
    num_heads, head_dim = draw.distinct(2, 2, 4)
    d_model = num_heads * head_dim
    taken = {num_heads, head_dim, d_model, d_model + 1, 2 * d_model, 3 * d_model, num_heads * d_model}
    return Sizes(d_model, num_heads, draw.choice([n for n in range(9, 23) if n not in taken]))


def drawn_lengths(draw: Draw, sizes: Sizes) -> tuple[int, int, int]:
    """Return batch, the length of a sequence and the greater one of a memory, unlike any of the block's sizes."""
    head_dim = sizes.d_model // sizes.num_heads
    free = [n for n in range(3, 9) if n not in (sizes.d_model, sizes.num_heads, head_dim)]
    batch, *lengths = (free[i] for i in draw.distinct(3, 0, len(free) - 1))
    seq_len, memory_len = sorted(lengths)
    return batch, seq_len, memory_len


class Block:
    """A built encoder or decoder block of the student's, with random weights, and its readings.

    Args:
        probe, draw: the probe and the random numbers of the rubric line.
        kind: `encoder` or `decoder`.
        one_token: whether sequence and memory have one token each, so that every attention weight is 1.
        scale: standard deviation of the inputs, whose square the norms see as variance.
        options: arguments of the block's constructor besides the sizes; without a rate among them, dropout is 0.
    """

    def __init__(
        self,
        probe: Probe,
        draw: Draw,
        kind: str,
        one_token: bool = False,
        scale: float = 1.0,
        **options: Any,
    ) -> None:
        self.probe, self.draw = probe, draw
        options = {"dropout": 0.0, **options}
        self.kind, self.roles = kind, ROLES[kind]
        self.norm_first = options.get("norm_first", True)
        self.sizes = probe.once((kind, "sizes"), lambda: drawn_sizes(draw))
        self.batch, self.seq_len, self.memory_len = probe.once(
            (kind, "lengths"), lambda: drawn_lengths(draw, self.sizes)
        )
        if one_token:
            self.seq_len = self.memory_len = 1
        self.inputs = [self.tokens(draw, self.seq_len, scale)]
        if kind == "decoder":
            self.inputs.append(self.tokens(draw, self.memory_len))
        key = (kind, *sorted(options.items()))
        self.layer, self.weights, self.lifts = probe.once(key, lambda: self._made(options))
        self.values = drawn_values(draw, self.weights, self.sizes)
        self.assigned = self.values
        self.parts = parts_of(self.weights, self.sizes)

    def _made(self, options: Mapping[str, Any]) -> tuple[Layer, list[Weight], tuple[float, ...]]:
        layer = self.probe.layer(f"{self.kind.capitalize()}Block", **self.numbers(), **options)
        self.ask(layer=layer)
        layer = told_apart(layer, self.sizes, self.roles)
        weights = layer.weights()
        return layer, weights, lifts_of(layer, parts_of(weights, self.sizes))

    def numbers(self) -> dict[str, int]:
        """Return the constructor's sizes."""
        return {"d_model": self.sizes.d_model, "num_heads": self.sizes.num_heads, "ff_dim": self.sizes.ff_dim}

    def tokens(self, draw: Draw, length: int, scale: float = 1.0) -> Array:
        """Draw (batch, length, d_model), each token with a mean of its own."""
        shape = (self.batch, length, self.sizes.d_model)
        return draw.normal(*shape, scale=scale) + draw.normal(self.batch, length, 1, scale=scale / 2)

    def ask(self, *inputs: Array, layer: Layer | None = None, **options: Any) -> Array:
        """Return the block's answer to its own inputs or to others, once the shape is right."""
        inputs = inputs or tuple(self.inputs)
        words = TOKENS if self.kind == "encoder" else TARGET
        return expect_shape((layer or self.layer)(*inputs, **options), inputs[0].shape, words)

    def sublayers(self) -> list[set[str]]:
        """Return the paths of the weights of each attention, and last of the feed-forward network."""
        groups = [*(attention.dense for attention in self.parts.attentions), (*self.parts.inner, *self.parts.outer)]
        return [{path for dense in group for path in (*dense.kernels, *dense.biases)} for group in groups]

    def with_zeros(self, silent: Collection[str]) -> dict[str, Array]:
        """Return path -> random value, or 0 where a weight is silent."""
        return {path: np.zeros_like(value) if path in silent else value for path, value in self.values.items()}

    def assign(self, silent: Collection[str] = ()) -> None:
        """Give every weight its random value, or 0 to those with silent paths."""
        self.assigned = self.with_zeros(silent)
        self.layer.assign(self.assigned)

    def readings(self) -> Iterator[Reading]:
        """Yield role -> value as assigned, the most plausible reading first."""
        return all_readings(self.parts, self.assigned, self.roles, self.lifts)


def lifts_of(layer: Layer, parts: Parts) -> tuple[float, ...]:
    """Return what may have to be added to the scales of a new layer's normalisations: 1 too if all they hold is 0."""
    paths = [path for norm in parts.norms for path in (norm.scale, norm.shift) if path]
    if any(path.endswith("gamma") for path in paths) or any(layer.read(path).any() for path in paths):
        return (0.0,)
    return (1.0, 0.0)


ROLES = {
    "encoder": Roles(("attention",), ("norm_1", "norm_2")),
    "decoder": Roles(("self_attention", "cross_attention"), ("norm_1", "norm_2", "norm_3")),
}


def right_answer(block: Block, weights: Reading, inputs: Sequence[Array] = (), **changes: Any) -> Array:
    """Return the oracle's answer under a reading to the block's inputs or to others, perhaps with other arguments."""
    options: dict[str, Any] = {"norm_first": block.norm_first, **changes}
    x, *memory = inputs or block.inputs
    if block.kind == "encoder":
        return oracle.encoder_block(x, weights, block.sizes.num_heads, **options)
    return oracle.decoder_block(x, memory[0], weights, block.sizes.num_heads, **options)


def is_right(block: Block, answer: Array, epsilons: tuple[float, ...]) -> bool:
    """Return whether the answer is right under some reading of the block's weights, with each norm's epsilon one of these."""
    norms = len(block.roles.norms)
    alike = [(epsilon,) * norms for epsilon in epsilons]
    mixed = set(itertools.product(epsilons, repeat=norms)) - set(alike)
    readings = block.readings()
    # mixed with the likeliest reading alone: a wrong answer is held against all that is tried
    for weights in itertools.islice(readings, 1):
        if any(near(answer, right_answer(block, weights, epsilons=each)) for each in (*alike, *mixed)):
            return True
    while some := list(itertools.islice(readings, READINGS_AT_ONCE)):
        for weights, each in _likely(block, answer, some, alike):
            if near(answer, right_answer(block, weights, epsilons=each)):
                return True
    return False


def _likely(
    block: Block, answer: Array, readings: Sequence[Reading], alike: Sequence[tuple[float, ...]]
) -> Iterator[tuple[Reading, tuple[float, ...]]]:
    """Yield the readings, each with its epsilons, under which the answer may be right: those that nearly give its first sequence.

    They are computed for one sequence and all at once, which takes a small part of the time of one after the other.
    """
    by_shape: defaultdict[tuple[tuple[int, ...], ...], list[Reading]] = defaultdict(list)
    for reading in readings:
        by_shape[tuple(array.shape for array in reading.values())].append(reading)
    first = [array[:1] for array in block.inputs]
    for group in by_shape.values():
        weights = stacked(group)
        for epsilons in alike:
            expected = right_answer(block, weights, first, epsilons=epsilons)
            is_near = (np.abs(answer[0] - expected) <= 2 * TOLERANCE * (1 + np.abs(expected))).all(axis=(1, 2, 3))
            yield from ((group[number], epsilons) for number in np.flatnonzero(is_near))


def stacked(readings: Sequence[Reading]) -> Reading:
    """Return readings of equal shapes as one, under which the oracle's answer is (count, batch, len, d_model)."""
    together = {role: np.stack([reading[role] for reading in readings]) for role in readings[0]}
    # axes of 1 stand for the batch and, in vectors, for the positions
    return {
        role: array.reshape(len(readings), *(1,) * (4 - array.ndim), *array.shape[1:])
        for role, array in together.items()
    }


def expect_block(block: Block, answer: Array, what: Text, epsilons: tuple[float, ...] = EPSILONS) -> None:
    """Miss unless the answer is right under some reading of the block's weights, with each norm's epsilon one of these."""
    if is_right(block, answer, epsilons):
        return
    first = next(block.readings(), None)
    if first is None:
        raise Miss(missing_parts(block))
    expect_close(answer, right_answer(block, first), what)


def missing_parts(block: Block) -> Text:
    """Return what of a block can't be found among its weights."""
    if not (block.parts.inner and block.parts.outer):
        return Text(
            "In the block there are no two dense layers with kernels (d_model, ff_dim) and (ff_dim, d_model).",
            "블록에서 커널(kernel)이 (d_model, ff_dim)인 것과 (ff_dim, d_model)인 것, 두 완전 연결 계층을 찾을 수 없습니다.",
        )
    return Text(
        "In the block there is no attention with projections for query, key, value and output.",
        "블록에서 쿼리, 키, 값, 출력의 투영이 있는 어텐션을 찾을 수 없습니다.",
    )


def near(answer: Array, expected: Array) -> bool:
    """Return whether every entry is close, relative to the size of the expected one."""
    return bool((np.abs(answer - expected) <= TOLERANCE * (1 + np.abs(expected))).all())
