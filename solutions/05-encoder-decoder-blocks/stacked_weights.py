"""A layer some of whose weights hold several: they are told apart, as if each were a weight of its own.

    layer = told_apart(layer, sizes, roles)     # once it is built
    layer.weights()                             # `w` (4, d_model, d_model) is seen as w[0], w[1], w[2], w[3]
    layer.assign({"w[0]": …, …})

Kernels and vectors may be stacked along any axes in front, and a kernel may have its bias as one row more:
(inputs + 1, outputs) is seen as m[:-1] and m[-1].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograder.grading import Array, Layer, Weight

from .weight_parts import Sizes, parts_of
from .weight_roles import Roles, all_readings

__all__ = ["told_apart"]

Index = tuple[int | slice | EllipsisType, ...]


def told_apart(layer: Layer, sizes: Sizes, roles: Roles) -> Layer:
    """Return a built layer with its weights told apart, if only then all of its parts can be read; else as it is."""
    if _is_whole(layer, sizes, roles):
        return layer
    for even_kernels in (False, True):
        apart = Apart(layer, _pieces_of(layer.weights(), sizes, even_kernels))
        if _is_whole(apart, sizes, roles):
            return apart
    return layer


def _is_whole(layer: Layer, sizes: Sizes, roles: Roles) -> bool:
    weights = layer.weights()
    parts = parts_of(weights, sizes)
    if parts.rest or len(parts.attentions) < len(roles.attentions) or len(parts.norms) < len(roles.norms):
        return False
    return any(True for _ in all_readings(parts, {w.path: np.zeros(w.shape) for w in weights}, roles))


class Apart:
    """A built layer, seen so. Implements `rubric.Layer`."""

    def __init__(self, layer: Layer, pieces: Mapping[str, tuple[Weight, Index]]) -> None:
        self._layer, self._pieces = layer, pieces

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """See `rubric.Layer.__call__`."""
        return self._layer(*args, **kwargs)

    def weights(self) -> list[Weight]:
        """Return the pieces, those with the same first index beside each other."""
        return [
            Weight(path, np.empty(whole.shape)[index].shape, whole.trainable)
            for path, (whole, index) in self._pieces.items()
        ]

    def assign(self, values: Mapping[str, ArrayLike]) -> None:
        """Set weights by the values of all their pieces."""
        wholes: dict[str, Array] = {}
        for path, value in values.items():
            whole, index = self._pieces[path]
            wholes.setdefault(whole.path, np.zeros(whole.shape))[index] = value
        self._layer.assign(wholes)

    def read(self, path: str) -> Array:
        """Return a piece's value."""
        whole, index = self._pieces[path]
        return self._layer.read(whole.path)[index]

    def values(self) -> list[tuple[Weight, Array]]:
        """See `rubric.Layer.values`: whole weights."""
        return self._layer.values()

    def set_values(self, values: Sequence[ArrayLike]) -> None:
        """See `rubric.Layer.set_values`: whole weights."""
        self._layer.set_values(values)

    def clone(self) -> Layer:
        """See `rubric.Layer.clone`."""
        return Apart(self._layer.clone(), self._pieces)


MAX_PIECES = 500


def _pieces_of(weights: Sequence[Weight], sizes: Sizes, even_kernels: bool) -> dict[str, tuple[Weight, Index]]:
    """Return path of a piece -> the weight that holds it, and where.

    A weight of as many entries as a square kernel, such as an output's (num_heads, head_dim, d_model), is taken for a stack of
    vectors with `even_kernels` only.
    """
    found = []
    for weight in weights:
        for index in _indices(weight, sizes, even_kernels) if len(found) < MAX_PIECES else [()]:
            words = "".join(f"[{':-1' if isinstance(i, slice) else i}]" for i in index)
            of_first_axis = index[0] if index and index[0] in range(weight.shape[0]) else math.inf
            found.append((of_first_axis, weight.path + words, weight, (*index, ...)))
    return {path: (weight, index) for _, path, weight, index in sorted(found, key=lambda each: each[0])}


def _indices(weight: Weight, sizes: Sizes, even_kernels: bool) -> list[Index]:
    """Return where the pieces of one weight are: everywhere, if it is one."""
    d_model, ff_dim = sizes.d_model, sizes.ff_dim
    kernels = {(d_model, n * d_model) for n in (1, 2, 3)} | {(d_model, ff_dim), (ff_dim, d_model)}
    with_bias = {(rows + 1, columns) for rows, columns in kernels}
    shape = weight.shape
    is_kernel = math.prod(shape) % d_model**2 == 0 and not even_kernels
    for tail in (2,) if is_kernel else (2, 1):
        end = shape[max(0, len(shape) - tail) :]
        if weight.trainable and end in kernels | with_bias | {(d_model,), (ff_dim,)}:
            rows: list[Index] = [(slice(None, -1),), (-1,)] if end in with_bias else [()]
            front = shape[: len(shape) - tail]
            if math.prod(front) <= MAX_PIECES:
                return [(*place, *row) for place in np.ndindex(*front) for row in rows]
    return [()]
