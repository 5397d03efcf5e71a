"""Which known mistakes can get their names from recorded answers."""

from __future__ import annotations

from autograder.grading.naming import recorded_answers
from autograder.grading.runner import mistakes_of
from autograder.sources.notebooks import NotebookSource


def nameable(source: NotebookSource) -> set[str]:
    """Return the ids of the mistakes whose recorded answers are about just the lines that they miss, and fit no other mistake.

    Args:
        source: the source of the assignment's notebook.
    """
    mistakes, record = mistakes_of(source.folder), recorded_answers(source)
    return {
        i for i, found in record.entries.items() if record.fitting(found) == i and found.keys() == mistakes[i].misses
    }
