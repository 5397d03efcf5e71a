"""Cells of a percent script as it was written: unlike jupytext's, each keeps every line and knows where it was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.sources.code_cells import HEADER, syntax_fault

__all__ = ["ScriptCell", "code_of", "read_cells", "require_keys"]

KEY = re.compile(r'\s+(\w+)=(?:"([^"]*)"|(true))')
MARKDOWN = re.compile(r"\s+\[markdown\]")


@dataclass(frozen=True)
class ScriptCell:
    """A cell of a percent script.

    Attributes:
        keys: key of its header -> value.
        lines: the lines below the header.
        path: the script's file.
        number: number of the header's line in the file, from 1.
        is_markdown: whether the cell is prose.
    """

    keys: Mapping[str, str]
    lines: tuple[str, ...]
    path: Path
    number: int
    is_markdown: bool

    @property
    def where(self) -> str:
        """File and line of the header, for messages."""
        return f"{self.path}:{self.number}"


def read_cells(path: Path) -> list[ScriptCell]:
    """Return the cells of a percent script.

    Raises:
        CourseError: the script doesn't begin with a cell, or a header is malformed.
    """
    cells: list[ScriptCell] = []
    lines = path.read_text(encoding="utf-8").split("\n")
    starts = [i for i, line in enumerate(lines) if HEADER.match(line)]
    if any(line.strip() for line in lines[: starts[0] if starts else None]):
        raise CourseError(f"A catalogue begins with the header of a cell, `# %%`. Received: {lines[0]!r} in {path}.")
    for start, end in zip(starts, [*starts, len(lines)][1:], strict=True):
        where = f"{path}:{start + 1}"
        rest = lines[start][len("# %%") :]
        kind = MARKDOWN.match(rest)
        rest = rest[kind.end() :] if kind else rest
        if KEY.sub("", rest).strip():
            raise CourseError(f'A cell header holds key="value" pairs. Received: {lines[start]!r} at {where}.')
        keys = {key: value or true for key, value, true in KEY.findall(rest)}
        if len(keys) < len(KEY.findall(rest)):
            raise CourseError(f"A cell header may hold each key once. Received: {lines[start]!r} at {where}.")
        cells.append(ScriptCell(keys, tuple(lines[start + 1 : end]), path, start + 1, kind is not None))
    return cells


def require_keys(cell: ScriptCell, needed: set[str], allowed: set[str]) -> None:
    """Refuse a header that lacks a key, or holds an unknown or empty one.

    Args:
        cell: the cell.
        needed: the keys that the header must have.
        allowed: all keys that the header may have.

    Raises:
        CourseError: a key is missing, unknown or empty.
    """
    wrong = (needed - set(cell.keys)) | (set(cell.keys) - allowed) | {k for k in cell.keys if not cell.keys[k].strip()}
    if wrong:
        raise CourseError(
            f"The header here needs {sorted(needed)} and may hold {sorted(allowed - needed)}. "
            f"Received: {sorted(wrong)} missing, empty or unknown at {cell.where}."
        )


def code_of(cell: ScriptCell, lines: tuple[str, ...]) -> str:
    """Return the code of a cell.

    Args:
        cell: the cell.
        lines: the last lines of the cell, which hold its code.

    Raises:
        CourseError: there is no code, or it isn't Python.
    """
    code = "\n".join(lines)
    if not code.strip():
        raise CourseError(f"A cell must hold code. Received: none at {cell.where}.")
    if fault := syntax_fault(code):
        number = cell.number + len(cell.lines) - len(lines) + fault[0]
        raise CourseError(
            f"A cell must be valid Python. Received: {fault[1]} in {cell.path}, line {number}, in the cell at {cell.where}. "
            "Correct the line."
        )
    return code.strip("\n") + "\n"
