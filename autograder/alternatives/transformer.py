"""Right answers to `06-transformer` in other styles."""

from __future__ import annotations

from autograder.alternatives import Alternative

__all__ = ["ALTERNATIVES"]

ALTERNATIVES: tuple[Alternative, ...] = ()
