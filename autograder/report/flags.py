"""What of a submission an instructor should look at: code of a task from scratch that names what it may not use.

While a layer of such a task runs, what its grader's `FORBIDDEN` names raises (`kernels/resident`). Code that took hold of a library's own
function before can't be stopped in the student's own process, but it has to name it. A flag takes no points, and may be
harmless: a student may compare with Keras's layer. A name that is put together when the code runs isn't seen.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.grading.rubric import Forbidden
from autograder.grading.runner import grader_module
from autograder.sources.notebooks import NotebookSource

__all__ = ["Flag", "flags_of"]

MOST_CHARACTERS = 100_000  # of a cell that is parsed; a longer one is only searched


@dataclass(frozen=True)
class Flag:
    """A name that a task from scratch has no need of.

    Attributes:
        task: slug of the task.
        cell: grade id of the cell that names it; empty for one that the student added.
        name: one of the `inner_names` or `outer_names` of what is forbidden.
    """

    task: str
    cell: str
    name: str


def flags_of(
    source: NotebookSource, cells: Iterable[Mapping[str, Any]], released: Mapping[str, str] | None = None
) -> tuple[Flag, ...]:
    """Return what stands out in a graded notebook's cells, each name once.

    Args:
        source: the source of the assignment's notebook.
        cells: the notebook's cells in the form of nbformat 4.
        released: cell id -> source in the release; what that names isn't the student's.
    """
    found: dict[Flag, None] = {}
    tasks: Mapping[str, Forbidden] = grader_module(source.folder).FORBIDDEN if source.from_scratch else {}
    for cell in cells if tasks else ():
        try:
            metadata = cell["metadata"].get("nbgrader", {})
            grade_id, code = str(metadata.get("grade_id", "")), cell["source"]
            is_answer = grade_id.startswith("task-") or grade_id == "carry-over"
            skipped = cell["cell_type"] != "code" or (grade_id and not is_answer)
            released_names = set(_named((released or {}).get(str(cell.get("id")), "")))
        except (AttributeError, KeyError, TypeError):
            continue
        if skipped:
            continue
        text = code if isinstance(code, str) else "".join(map(str, code))
        for task in source.from_scratch:
            # in another task's cell the library's own may be what is asked for
            forbidden = tasks[task]
            of_others = is_answer and grade_id != f"task-{task}"
            names = forbidden.inner_names if of_others else forbidden.inner_names | forbidden.outer_names
            found |= {Flag(task, grade_id, name): None for name in _named(text) if name in names - released_names}
    return tuple(found)


def _named(source: str) -> Iterator[str]:
    """Yield what code takes from somewhere else: attributes, imports, and strings that are a name or end in one."""
    if len(source) <= MOST_CHARACTERS:
        try:
            nodes = list(ast.walk(ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        else:
            for node in nodes:
                if isinstance(node, ast.Attribute):
                    is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
                    yield from () if is_own else (node.attr,)
                elif isinstance(node, (ast.Import, ast.ImportFrom)):
                    yield from (part for alias in node.names for part in alias.name.split("."))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
                    yield from re.findall(r"^[\w.]*?(\w+)$", node.value)
            return
    for match in re.finditer(
        r"(?:(?<!\bself)\.\s*|\bimport\b[\w\s,.(]*[\s,.(]|[\"'])(\w+)", source[: 10 * MOST_CHARACTERS]
    ):
        yield match[1]
