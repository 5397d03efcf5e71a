"""What the lines of a task share: layers and models cost most of the time that grading takes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from autograder.rubric import Probe

Made = TypeVar("Made")

_made: WeakKeyDictionary[Probe, dict[Hashable, Any]] = WeakKeyDictionary()


def once(probe: Probe, key: Hashable, make: Callable[[], Made]) -> Made:
    """Return what `make` returned when a line of this probe's task first asked for `key`.

    What raised is not kept: the next line that asks has it made again.
    """
    made = _made.setdefault(probe, {})
    if key not in made:
        made[key] = make()
    found: Made = made[key]
    return found
