"""Thousands of lines that must be nowhere in megabytes of text: lines of solutions and of hidden files in what students get."""

from __future__ import annotations

import re
from collections.abc import Iterable


def squeezed(text: str) -> str:
    """Return a text without its white space, so that a line is found however it is indented or broken."""
    return re.sub(r"\s+", "", text)


def found(lines: Iterable[str], text: str, length: int) -> set[str]:
    """Return those of the lines that occur in a text.

    Args:
        lines: each of at least `length` characters.
        text: in which they are looked for, all at once: thousands of lines, megabytes of text.
        length: how many characters of a line are compared first.
    """
    by_start: dict[str, list[str]] = {}
    for line in lines:
        if len(line) < length:
            raise ValueError(f"Each line must have at least {length} characters. Received: {line!r}.")
        by_start.setdefault(line[:length], []).append(line)
    here: set[str] = set()
    for at in range(len(text)):
        if starting := by_start.get(text[at : at + length]):
            here.update(line for line in starting if text.startswith(line, at))
    return here
