"""How a student stands with an assignment besides its points: tries and late days. All of it may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.base.text import Text

__all__ = ["Standing", "Try"]


@dataclass(frozen=True)
class Try:
    """One of a student's submissions to an assignment that was graded.

    Attributes:
        points: that it earned, before any penalty; None if it is ungraded.
        handed_in: when, as the student reads it; empty if nobody knows.
    """

    points: float | None
    handed_in: str = ""


@dataclass(frozen=True)
class Standing:
    """What the feedback page tells in its first lines, as far as it is known.

    Attributes:
        lateness: sentences on the due date, late days and what they cost.
        tries: all graded submissions, oldest first; the last is the one that the page is about.
        tries_left: how many more may be handed in; None: without limit, or unknown.
    """

    lateness: Sequence[Text] = ()
    tries: Sequence[Try] = ()
    tries_left: int | None = None
