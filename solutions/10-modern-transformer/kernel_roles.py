"""Which kernel of a student's layer plays which role, found by value, whatever the weights are called, made of or made when.

Every weight of a built layer gets drawn numbers, and the layer's answer is compared with the oracle's under every *reading* of the
weights: every way in which they can be the kernels asked for. A reading maps a role to its kernel (inputs, outputs).

Recognised are kernels with their heads spelled out, such as (d_model, num_heads, head_dim), convolutions of width 1, kernels that
are (outputs, inputs), as PyTorch has them, and several kernels side by side, or stacked, in one weight.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from autograder.grading import Array, Draw, Weight

__all__ = ["drawn_values", "num_entries", "readings"]

Shape = tuple[int, int]
Reading = dict[str, Array]
# Only for which numbers a weight gets: the same ones in whatever order a student makes the weights.
NAMED = (
    ("query", re.compile(r"query|(^|_|w|to)q(_|$|\d|w)")),
    ("key", re.compile(r"key|(^|_|w|to)k(_|$|\d|w)")),
    ("value", re.compile(r"value|(^|_|w|to)v(al)?(_|$|\d|w)")),
    ("output", re.compile(r"out|proj|combine|merge|mix|final|(^|_|w|to)o(_|$|\d|w)")),
    ("gate", re.compile(r"gate|w1|(^|_)g(_|$)")),
    ("up", re.compile(r"up|w3|linear_?1|(^|_)u(_|$)")),
    ("down", re.compile(r"down|w2|linear_?2|(^|_)d(_|$)")),
)


def num_entries(values: Sequence[tuple[Weight, Array]], trainable: bool = True) -> int:
    """Return how many numbers the weights hold that are trained, or that aren't."""
    return sum(first.size for weight, first in values if weight.trainable == trainable)


def drawn_values(draw: Draw, values: Sequence[tuple[Weight, Array]], inputs: int) -> list[Array]:
    """Return numbers for all weights, given their first values: kernels of unit size for `inputs` features, vectors as they are."""
    drawn: dict[int, Array] = {}
    for place in sorted(range(len(values)), key=lambda place: (_rank(values[place][0].path), place)):
        weight, first = values[place]
        is_kernel = weight.trainable and len(_squeezed(weight.shape)) > 1
        drawn[place] = draw.normal(*weight.shape, scale=1.2 / math.sqrt(inputs)) if is_kernel else first
    return [drawn[place] for place in range(len(values))]


def readings(
    values: Sequence[tuple[Weight, Array]], roles: Mapping[str, Shape], tied: Sequence[str] = ()
) -> Iterator[Reading]:
    """Yield every way in which the weights' numbers can be the kernels of these roles, each weight used once.

    Args:
        values: the weights, each with its numbers.
        roles: role -> (inputs, outputs) of its kernel.
        tied: roles that may lie beside each other in one weight.
    """
    kernels = [array for weight, array in values if weight.trainable and len(_squeezed(array.shape)) > 1]
    for turned in (False, True):
        yield from _placed(kernels, dict(roles), tuple(tied), turned)


def _placed(
    kernels: Sequence[Array], roles: Mapping[str, Shape], tied: Sequence[str], turned: bool
) -> Iterator[Reading]:
    if not kernels or not roles:
        if not kernels and not roles:
            yield {}
        return
    kernel, others = kernels[0], kernels[1:]
    for count in range(1, len(roles) + 1):
        for chosen in itertools.permutations(roles, count):
            if count > 1 and not set(chosen) <= set(tied):
                continue
            for parts in _cut(kernel, [roles[role] for role in chosen], turned):
                left = {role: shape for role, shape in roles.items() if role not in chosen}
                for rest in _placed(others, left, tied, turned):
                    yield {**dict(zip(chosen, parts, strict=True)), **rest}


def _cut(kernel: Array, shapes: Sequence[Shape], turned: bool) -> Iterator[list[Array]]:
    """Yield the ways in which a weight is kernels of these shapes (inputs, outputs)."""
    inputs = shapes[0][0]
    outputs = [shape[1] for shape in shapes]
    if kernel.size != sum(map(math.prod, shapes)) or any(shape[0] != inputs for shape in shapes):
        return
    if len(shapes) == 1:
        matrix = _matrix(kernel, shapes[0], turned)
        if matrix is not None:
            yield [matrix]
        return
    side_by_side = _matrix(kernel, (inputs, sum(outputs)), turned)
    if side_by_side is not None and kernel.shape[0] != len(shapes):
        yield np.split(side_by_side, np.cumsum(outputs)[:-1].tolist(), axis=1)
        if len(set(outputs)) == 1:
            yield [side_by_side[:, place :: len(shapes)] for place in range(len(shapes))]
    if kernel.shape[0] == len(shapes) and len(set(outputs)) == 1:  # stacked
        stacked = [_matrix(part, shape, turned) for part, shape in zip(kernel, shapes, strict=True)]
        if all(part is not None for part in stacked):
            yield [part for part in stacked if part is not None]


def _matrix(kernel: Array, shape: Shape, turned: bool) -> Array | None:
    """Return a weight as one kernel (inputs, outputs), None if it isn't one.

    Args:
        kernel: the weight's numbers; heads may be axes of their own.
        shape: (inputs, outputs)
        turned: whether the weight is (outputs, inputs).
    """
    inputs, outputs = shape
    if kernel.ndim > 2 and 1 in kernel.shape:
        kernel = kernel.reshape(_squeezed(kernel.shape))
    if kernel.size != inputs * outputs or kernel.ndim not in (2, 3, 4):
        return None
    if kernel.ndim == 3 and kernel.shape[1] == inputs and kernel.shape[0] != inputs:  # (num_heads, inputs, head_dim)
        return np.asarray(kernel.transpose(1, 0, 2).reshape(shape))
    if turned:
        whole = math.prod(kernel.shape[:-1]) == outputs or kernel.shape[0] == outputs
        return np.asarray(kernel.reshape(outputs, inputs).T) if whole else None
    whole = kernel.shape[0] == inputs or math.prod(kernel.shape[:-1]) == inputs
    return np.asarray(kernel.reshape(shape)) if whole else None


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for n in shape if n > 1)


def _rank(path: str) -> int:
    """Return the place of the role that a weight's name tells, behind all of them if it tells none."""
    names = re.split(r"[./]", re.sub(r"\[.*?\]", "", path.lower()))[-2:]
    for name in reversed(names):
        for place, (_, pattern) in enumerate(NAMED):
            if name not in ("kernel", "weights") and pattern.search(name):
                return place
    return len(NAMED)
