"""Code in the cells of a percent script, looked at before anything reads it: errors name file, line and cell."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.base.text import LANGUAGES

__all__ = ["HEADER", "KO_LINE", "require_code", "syntax_fault"]

HEADER = re.compile(r"# %%(?: |$)")
KO_LINE = re.compile(r"^(\s*)# ko: ?(.*)$")
MARK = re.compile(r"### (BEGIN|END) SOLUTION")
BEGIN, END = "BEGIN", "END"


@cache  # what all notebooks include is looked at once, and a source that is read again isn't looked at again
def require_code(text: str, path: Path) -> None:
    """Refuse code that isn't Python in one of the languages, or whose marks of what students write aren't in pairs.

    Args:
        text: a percent script, or one cell without a header.
        path: the text's file, for messages.

    Raises:
        CourseError: with the file, the line in it and the header of the cell.
    """
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if HEADER.match(line)]
    if not starts or any(line.strip() for line in lines[: starts[0]]):
        starts.insert(0, -1)
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        header = lines[start] if start >= 0 else ""
        if "[" not in header.partition('"')[0]:  # no prose
            _require_cell(lines[start + 1 : end], f"the cell `{header}`" if header else "the file", start + 2, path)


def _require_cell(lines: list[str], cell: str, first: int, path: Path) -> None:
    """Refuse a cell.

    Args:
        lines: the cell's lines, without its header.
        cell: what the messages call it.
        first: number of its first line in the file.
        path: the file.
    """
    wanted = BEGIN
    opened = first
    for number, line in enumerate(lines, start=first):
        for mark in MARK.findall(line):
            if mark != wanted:
                raise _unpaired(mark, number, cell, path)
            wanted, opened = (END, number) if mark == BEGIN else (BEGIN, opened)
    if wanted == END:
        raise _unpaired(BEGIN, opened, cell, path)
    for language in LANGUAGES:
        if fault := syntax_fault("\n".join(_in_place(lines, language))):
            which = "the line's Korean below it" if language == "ko" else "the line"
            raise CourseError(
                f"A cell of code must be valid Python. Received: {fault[1]} in {path}, line {first + fault[0] - 1}, in {cell}. "
                f"Correct {which}."
            )


def syntax_fault(code: str) -> tuple[int, str] | None:
    """Return the line (counted from 1) at which code is no Python and what is wrong there, or None if it is Python."""
    try:
        ast.parse(code)
    except SyntaxError as error:
        lines = code.split("\n")
        number = min(error.lineno or 1, len(lines))
        return number, f"{error.msg}: {lines[number - 1].strip()!r}"
    return None


def _unpaired(mark: str, number: int, cell: str, path: Path) -> CourseError:
    other = END if mark == BEGIN else BEGIN
    where = "after" if mark == BEGIN else "before"
    return CourseError(
        f"What students write must stand between `### BEGIN SOLUTION` and `### END SOLUTION`. Received: `### {mark} SOLUTION` "
        f"without its `### {other} SOLUTION` in {path}, line {number}, in {cell}. Add the line {where} the solution."
    )


def _in_place(lines: list[str], language: str) -> list[str]:
    """Return the lines in one language, each where it was; magics are empty lines."""
    shown: list[str] = []
    for line in lines:
        twin = KO_LINE.match(line)
        if twin and shown and language == "ko":
            shown[-1] = twin[1] + twin[2]
        shown.append("" if twin or line.startswith(("%", "!")) else line)
    return shown
