"""Which of a submission's code cells are executed, in which order, and what depends on what.

A cell is *needed* if it holds an answer, is locked, is the student's own, or defines a name that a needed cell uses.
The others, released pictures and public checks, show something and change nothing: they are executed afterwards, and
only where there is something to see.
"""

from __future__ import annotations

import ast
import dataclasses
import symtable
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from IPython.core.inputtransformer2 import TransformerManager

from autograder.course import Limits
from autograder.intake import Submission, is_released
from autograder.kernels.run import RunCell

# A cell that mentions one of these may use any name.
_USES_ANYTHING = frozenset({"exec", "eval", "globals", "locals", "vars", "get_ipython"})
_RESIDENT = "__import__('sys').modules['_probe_resident']"


def run_cells(
    submission: Submission, limits: Limits, replaced: Iterable[str] = (), *, imitate: bool = False
) -> list[RunCell]:
    """Return the code cells of a submission in order.

    Args:
        submission: what was handed in.
        limits: its deadlines.
        replaced: tasks (or `carry-over`) whose reference runs right after the student's cell.
        imitate: make the references' functions return arrays, lists or tensors as the student's own do.
    """
    source = submission.source
    references = {task if task == "carry-over" else f"task-{task}": source.reference(task) for task in replaced}
    cells: list[RunCell] = []
    task = ""
    for cell in submission.cells:
        if cell.id.startswith("task-"):
            task = cell.id.removeprefix("task-")
        if cell.cell_type == "code" and cell.source.strip():
            role = source.known_cells[cell.id].role if cell.id in source.known_cells else "free"
            seconds = {"locked": limits.start_seconds, "grade": limits.answer_seconds}.get(role, limits.cell_seconds)
            needed = role != "grade" and not (role == "free" and is_released(submission, cell))
            cells.append(RunCell(cell.id, cell.source, role != "locked", needed, seconds, task))
        if cell.id in references:
            reference = references[cell.id]
            if imitate:
                names = sorted(source.defined_names[cell.id])
                reference = f"{_RESIDENT}.keep({names})\n{reference}\n{_RESIDENT}.imitate({names})"
            cells.append(RunCell(f"{cell.id}-reference", reference, True, True, limits.start_seconds, task))
    needed_ids = with_what_they_use(cells, {cell.id for cell in cells if cell.is_needed})
    return [dataclasses.replace(cell, is_needed=cell.id in needed_ids) for cell in cells]


def alone(cells: Sequence[RunCell], tasks: Iterable[str], seconds: float) -> list[RunCell]:
    """Return the cells with only those needed that some tasks' answers need: the locked ones, their own, what they use.

    The student's get at most `seconds` each.
    """
    own = {f"task-{task}" for task in tasks}
    needed = with_what_they_use(cells, {cell.id for cell in cells if not cell.is_students or cell.id in own})
    return [
        dataclasses.replace(
            cell, is_needed=cell.id in needed, seconds=min(cell.seconds, seconds) if cell.is_students else cell.seconds
        )
        for cell in cells
    ]


def shown_for(cells: Sequence[RunCell], tasks: Iterable[str]) -> set[str]:
    """Return the ids of the cells that show what became of some tasks, with those that they use.

    These are a task's public checks and the pictures that its answer has a part in: the others look the same without it.
    """
    wanted = set(tasks)
    shown = [cell for cell in cells if not cell.is_needed and cell.task in wanted]
    return with_what_they_use(cells, {cell.id for cell in shown if _tells_of_its_task(cell, cells)})


def _tells_of_its_task(cell: RunCell, cells: Sequence[RunCell]) -> bool:
    return cell.id == f"grade-{cell.task}" or f"task-{cell.task}" in with_what_they_use(cells, {cell.id})


def with_what_they_use(cells: Sequence[RunCell], chosen: set[str]) -> set[str]:
    """Return the chosen cells' ids and those of the cells that define a name which one of them uses."""
    found: set[str] = set()
    queue = [index for index, cell in enumerate(cells) if cell.id in chosen]
    while queue:
        index = queue.pop()
        if cells[index].id in found:
            continue
        found.add(cells[index].id)
        used = _names(cells[index].source)[1]
        if used & _USES_ANYTHING:
            queue += range(len(cells))
        for name in used:
            definers = [i for i, cell in enumerate(cells) if name in _names(cell.source)[0]]
            before = [i for i in definers if i < index]
            queue += before[-1:] or definers
    return found


@lru_cache(maxsize=1024)
def _names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the global names that a cell binds and those of others that it uses; none of one that can't be compiled."""
    bound: set[str] = set()
    used: set[str] = set()
    try:
        for statement in ast.parse(TransformerManager().transform_cell(source)).body:
            binds, uses = _names_of(symtable.symtable(ast.unparse(statement), "cell", "exec"))
            # an assignment reads before it binds; a loop or a `with` binds before it reads
            known = bound if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) else bound | binds
            used |= (uses - known) | (_added_to(statement) - bound)
            bound |= binds
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(), frozenset()
    return frozenset(bound), frozenset(used)


def _added_to(statement: ast.stmt) -> set[str]:
    """Return the global names that a statement changes by `+=` and the like."""
    found: set[str] = set()
    queue: list[tuple[ast.AST, bool]] = [(statement, False)]
    declared = {name for node in ast.walk(statement) if isinstance(node, ast.Global) for name in node.names}
    while queue:
        node, is_local = queue.pop()
        is_local = is_local or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found |= {node.target.id} & declared if is_local else {node.target.id}
        queue += [(child, is_local) for child in ast.iter_child_nodes(node)]
    return found


def _names_of(top: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    bound: set[str] = set()
    used: set[str] = set()
    for table in _tables(top):
        for symbol in table.get_symbols():
            if table is top or symbol.is_global():
                if symbol.is_assigned() or symbol.is_imported():
                    bound.add(symbol.get_name())
                if symbol.is_referenced():
                    used.add(symbol.get_name())
    return bound, used


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)
