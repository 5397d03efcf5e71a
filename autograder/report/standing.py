"""How a student stands with an assignment besides its points: tries and late days. All of it may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.base.text import Text

__all__ = ["Standing", "Try"]


@dataclass(frozen=True)
class Try:
    """One graded submission of a student's to an assignment.

    Attributes:
        points: points that the submission earned, before any penalty; None if it is ungraded.
        handed_in: when the student handed it in, as text for the student; empty if nobody knows.
    """

    points: float | None
    handed_in: str = ""


@dataclass(frozen=True)
class Standing:
    """What the feedback page tells in its first lines, as far as it is known.

    Attributes:
        lateness: sentences about the due date, late days and their cost.
        tries: all graded submissions, oldest first; the page is about the last one.
        tries_left: number of submissions that may still be handed in; None: no limit, or unknown.
    """

    lateness: Sequence[Text] = ()
    tries: Sequence[Try] = ()
    tries_left: int | None = None
