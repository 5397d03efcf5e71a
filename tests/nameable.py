"""Which known mistakes can get their names from recorded answers."""

from __future__ import annotations

from pathlib import Path

from autograder.grading.naming import recorded_answers
from autograder.grading.runner import mistakes_of


def nameable(folder: Path) -> set[str]:
    """Return the ids of the mistakes whose recorded answers are about just the lines that they miss, and fit no other mistake.

    Args:
        folder: the assignment's folder, e.g. `solutions/04-masks`.
    """
    mistakes, record = mistakes_of(folder), recorded_answers(folder)
    return {
        i for i, found in record.entries.items() if record.fitting(found) == i and found.keys() == mistakes[i].misses
    }
