"""Slow proofs in parts: `.ci/run` takes another part of them each day, by `PROOF_DAY`; without it everything is run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# Assignments, by number, whose public checks call whole blocks and models: most of the time that all public checks take.
LONG = ("05", "06", "09")


def part_of_the_day(days: int) -> tuple[int, int]:
    """Return (number of a part, number of parts) of a proof that so many days make whole; (1, 1) is everything.

    Where one number of days is a multiple of another, a day's smaller part lies in its larger one.

    Args:
        days: in how many days each part has its turn once.

    Raises:
        ValueError: `PROOF_DAY` is no whole number.
    """
    day = os.environ.get("PROOF_DAY")
    if day is None:
        return 1, 1
    if not day.isdecimal():
        raise ValueError(f"PROOF_DAY must be a whole number, such as the days since 1970. Received: PROOF_DAY={day!r}.")
    return int(day) % days + 1, days


def todays(everything: Sequence[T], days: int) -> Sequence[T]:
    """Return the part of the day of a list.

    Args:
        everything: the list.
        days: in how many days each of its entries has its turn once.
    """
    part, parts = part_of_the_day(days)
    return everything[part - 1 :: parts]


def is_todays(place: int, days: int) -> bool:
    """Return whether what stands at a place of a list belongs to the part of the day.

    Args:
        place: from 0.
        days: in how many days each place of the list has its turn once.
    """
    part, parts = part_of_the_day(days)
    return place % parts == part - 1
