"""How a student stands with an assignment besides its points: tries and late days. All of it may be unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
        tries: all graded submissions, oldest first; the last is the one that the page is about.
        tries_left: how many more may be handed in; None: without limit, or unknown.
        due: until when this student may hand in, extensions included, as the student reads it; empty if nobody knows.
        days_late: of this submission, 0 if it was in time.
        late_days_left: of the student's budget after this submission; None without a budget.
    """

    tries: Sequence[Try] = ()
    tries_left: int | None = None
    due: str = ""
    days_late: int = 0
    late_days_left: int | None = None
