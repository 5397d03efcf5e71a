"""Known wrong answers of `06-transformer`."""

from __future__ import annotations

from autograder.mistakes import Mistake

__all__ = ["MISTAKES"]

MISTAKES: tuple[Mistake, ...] = ()
