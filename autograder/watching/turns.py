"""Whose turn it is: a pure function of what waits, what was tried and what time it is.

Who has waited longest comes first, and each earlier try at the assignment counts as some minutes less of waiting: so a student
who hands in for the first time passes those who try again and again, and nobody waits for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from autograder.gradebook.handins import CountedTry, HandIn
from autograder.sources.handing_in import Tries

TRY_SECONDS = 120.0
Place = tuple[str, str]  # assignment, student


@dataclass(frozen=True)
class Turns:
    """What may be begun.

    Attributes:
        ready: hand-ins that may be begun now, in this order.
        later: id of a hand-in -> the time from which it may be begun, in seconds since the epoch.
        beyond: hand-ins that are never begun, since the student's tries are used up.
    """

    ready: Sequence[HandIn]
    later: Mapping[int, float]
    beyond: Sequence[HandIn]


def turns(
    waiting: Sequence[HandIn],
    tries: Mapping[Place, Sequence[CountedTry]],
    busy: Collection[Place],
    rule: Tries,
    now: float,
) -> Turns:
    """Return whose turn it is.

    Args:
        waiting: hand-ins that wait, one per assignment and student.
        tries: what was graded, by assignment and student.
        busy: the assignments and students whose work is being graded now, and whose next version waits until that is done.
        rule: the course's limits.
        now: the time, in seconds since the epoch.
    """
    ready: list[HandIn] = []
    later: dict[int, float] = {}
    beyond: list[HandIn] = []
    for one in waiting:
        place = (one.assignment, one.student)
        allowed = allowed_from(one, tries.get(place, ()), rule, now)
        if allowed is None:
            beyond.append(one)
        elif max(allowed, one.not_before) > now:
            later[one.id] = max(allowed, one.not_before)
        elif place not in busy:
            ready.append(one)
    ready.sort(key=lambda one: (one.found + TRY_SECONDS * len(tries.get((one.assignment, one.student), ())), one.id))
    return Turns(ready, later, beyond)


def allowed_from(one: HandIn, tries: Sequence[CountedTry], rule: Tries, now: float) -> float | None:
    """Return from when on the limits let a hand-in be graded, in seconds since the epoch; None: never.

    A content that was graded before costs no try.
    """
    if any(done.content == one.content for done in tries):
        return now
    if rule.in_all and len(tries) >= rule.in_all:
        return None
    zone = ZoneInfo(rule.time_zone)
    today = _day(now, zone)
    if not rule.per_day or sum(_day(done.graded, zone) == today for done in tries) < rule.per_day:
        return now
    tomorrow = datetime.combine(today.date() + timedelta(days=1), time(), zone)
    return tomorrow.timestamp()


def _day(moment: float, zone: ZoneInfo) -> datetime:
    return datetime.combine(datetime.fromtimestamp(moment, zone).date(), time(), zone)
