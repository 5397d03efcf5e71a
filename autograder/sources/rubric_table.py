"""The rubric of an assignment, `solutions/<assignment>/rubric.md`: what each hidden test is worth and what students read of it.

A heading `## task` for each task, and below it a table with a row for each line:

    ## padding-mask

    | line | points | English | Korean | after |
    |---|--:|---|---|---|
    | padding-shape | 0 | a mask of the right shape | 모양이 맞는 마스크 | |
    | padding-values | 1.5 | 1.0 where there is padding | 패딩에 1.0 | padding-shape |

The line `padding-values` is the test `test_padding_values` of `graders.py`. A `|` within a cell is written `\\|`. What stands before
the first heading is for readers.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.base.text import Text

__all__ = ["COLUMNS", "RUBRIC_NAME", "WORDS", "RubricLine", "read_rubric"]

RUBRIC_NAME = "rubric.md"
COLUMNS = ("line", "points", "English", "Korean", "after")
_HEADING = re.compile(r"##\s+(\S+)\s*")
_CELL_END = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")
WORDS = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # the form of an id of a rubric line, a mistake or an alternative
_POINTS = re.compile(r"\d+(\.\d+)?")


@dataclass(frozen=True)
class RubricLine:
    """One line of a rubric.

    Attributes:
        task: slug of the task whose points these are.
        points: what the line is worth. A line of 0 points is a gate that others need.
        title: what is looked at, for students.
        needs: ids of lines that must be earned before this one is tried.
    """

    task: str
    points: float
    title: Text
    needs: tuple[str, ...] = ()


def read_rubric(path: Path, tasks: Collection[str]) -> dict[str, RubricLine]:
    """Read and check the tables of a rubric.

    Args:
        path: the rubric's file, `solutions/<assignment>/rubric.md`.
        tasks: slugs of the tasks that the notebook has.

    Returns:
        Line id -> line, in the order of the file. The Korean of a title is empty where its cell is.

    Raises:
        CourseError: there is no such file, or a heading, a table or a row of it is wrong; with the file and the line in it.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(
            f"An assignment needs a rubric, a UTF-8 text file {RUBRIC_NAME}. Received: {type(error).__name__} for {path}."
        ) from error
    found: dict[str, RubricLine] = {}
    headings: set[str] = set()
    task, rows_above = "", 0  # of the table: its head, its rule, its lines
    for number, row in enumerate(text.splitlines(), start=1):
        where = f"{path}, line {number}"
        heading = _HEADING.fullmatch(row)
        if heading is not None:
            task, rows_above = heading[1], 0
            if task not in tasks:
                raise CourseError(
                    f"A heading `## …` of a rubric must be one of the notebook's tasks: {', '.join(tasks) or 'none'}. "
                    f"Received: {task!r} in {where}. Correct its name, or add the task to the notebook."
                )
            if task in headings:
                raise CourseError(
                    f"Each task must have one heading and one table. Received: `## {task}` a second time in {where}. "
                    "Put all of its rows into one table."
                )
            headings.add(task)
        elif row.lstrip().startswith("|") and not task:
            raise CourseError(
                f"A table of a rubric must stand below the heading `## <task>` of its task. Received: {_short(row)} in {where}. "
                "Write the heading above the table."
            )
        elif row.strip() and task:
            cells = _cells(row, where)
            rows_above += 1
            if rows_above <= 2:
                _check_head(cells, rows_above, where)
            else:
                _add_line(found, cells, task, where)
    return found


def _cells(row: str, where: str) -> list[str]:
    """Return the text of each cell of a row."""
    parts = _CELL_END.split(row.strip())
    if len(parts) != len(COLUMNS) + 2 or parts[0] or parts[-1]:
        raise CourseError(
            f"A row of a rubric must begin and end with `|` and have {len(COLUMNS)} cells: {', '.join(COLUMNS)}. "
            f"Received: {_short(row)} in {where}. Add or remove a `|`; within a cell write it `\\|`."
        )
    return [part.strip().replace("\\|", "|") for part in parts[1:-1]]


def _check_head(cells: list[str], row: int, where: str) -> None:
    is_right = tuple(cells) == COLUMNS if row == 1 else all(_RULE.fullmatch(cell) for cell in cells)
    if not is_right:
        wanted = "| " + " | ".join(COLUMNS if row == 1 else ("---",) * len(COLUMNS)) + " |"
        raise CourseError(
            f"Row {row} of a rubric's table must be `{wanted}`. Received: {_short(' | '.join(cells))} in {where}. "
            "Write it above the task's lines."
        )


def _add_line(found: dict[str, RubricLine], cells: list[str], task: str, where: str) -> None:
    """Check a row and add its line to those above it."""
    identity, points, english, korean, after = cells
    if not WORDS.fullmatch(identity):
        raise CourseError(
            "A line's id must be its test's name in small letters, figures and hyphens, such as `mean-values` for "
            f"`test_mean_values`. Received: {identity!r} in {where}. Correct the first cell."
        )
    if identity in found:
        raise CourseError(
            f"Each line of a rubric must have its own id. Received: {identity!r} a second time in {where}. "
            "Rename one of the two, and its test."
        )
    if not _POINTS.fullmatch(points):
        raise CourseError(
            f"The points of a line must be a number of 0 or more, such as 1 or 0.5. Received: {points!r} for {identity!r} in {where}. "
            "Correct the second cell."
        )
    if not english:
        raise CourseError(
            f"A line of a rubric needs an English text, which students read. Received: none for {identity!r} in {where}. "
            "Fill the third cell."
        )
    needs = tuple(after.replace(",", " ").split())
    unknown = [need for need in needs if need not in found or found[need].task != task]
    if unknown:
        earlier = ", ".join(each for each, line in found.items() if line.task == task) or "none, for this is its first"
        raise CourseError(
            f"`after` must name earlier lines of the same task: {earlier}. Received: {', '.join(unknown)} for {identity!r} "
            f"in {where}. Correct the last cell, or move the row."
        )
    # whole numbers stay whole where they are written out
    value = float(points) if "." in points else int(points)
    found[identity] = RubricLine(task, value, Text(english, korean), needs)


def _short(row: str) -> str:
    return repr(row if len(row) <= 100 else row[:100] + "…")
