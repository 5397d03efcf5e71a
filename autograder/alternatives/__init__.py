"""Right answers in other styles, one module a notebook: none may lose a point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Alternative:
    """One right answer that is written differently from the solution.

    Attributes:
        id: unique within its notebook, in words: `einsum`.
        what: what is different about it.
        cells: task slug -> source of that task's cell. Tasks not named keep the solution.
        backends: Keras backends that it runs on; code in `tf.*` runs on one.
    """

    id: str
    what: str
    cells: Mapping[str, str]
    backends: tuple[str, ...] = ("tensorflow", "jax", "torch")
