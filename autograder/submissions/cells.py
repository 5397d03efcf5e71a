"""Which of a submission's code cells are executed, in which order, and what depends on what.

A cell is *needed* if it holds an answer, is the student's own, is the first locked one (the notebook's settings), or defines a
name that a needed cell uses. The others show something and change nothing: released pictures, public checks, and what only these
use. They are executed afterwards, and only where there is something to see.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from autograder.kernels.notebook_run import Reference, RunCell
from autograder.sources.course import Limits
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.cell_names import NamesReader
from autograder.submissions.submission import Submission, is_released

# A cell that mentions one of these may use any name.
_USES_ANYTHING = frozenset({"exec", "eval", "globals", "locals", "vars", "get_ipython"})


def run_cells(
    submission: Submission,
    limits: Limits,
    replaced: Iterable[str] = (),
    *,
    imitate: bool = False,
    offered: bool = False,
) -> list[RunCell]:
    """Return the code cells of a submission in order.

    Args:
        submission: what was handed in.
        limits: the submission's time limits.
        replaced: tasks (or `carry-over`) whose reference replaces the student's names right after the cell that defines them.
        imitate: make the references' functions return arrays, lists or tensors as the student's own do.
        offered: give the student's kernel proxies of the references, all of which must be functions.
    """
    source = submission.source
    references = {grade_id: source.reference(task) for task in replaced for grade_id in [_grade_id(task)]}
    whole = _by_themselves(source, references, limits) if offered else {}
    cells: list[RunCell] = []
    task = ""
    for cell in submission.cells:
        if cell.id.startswith("task-"):
            task = cell.id.removeprefix("task-")
        if cell.cell_type == "code" and cell.source.strip():
            role = source.known_cells[cell.id].role if cell.id in source.known_cells else "free"
            seconds = {"locked": limits.start_seconds, "grade": limits.answer_seconds}.get(role, limits.cell_seconds)
            needed = role not in ("grade", "locked") and not (role == "free" and is_released(submission, cell))
            cells.append(RunCell(cell.id, cell.source, role != "locked", needed, seconds, task))
        if cell.id in references:
            text, names = references[cell.id], tuple(sorted(source.defined_names[cell.id]))
            reference = Reference(names, text, imitate, whole.get(cell.id, ""))
            cells.append(RunCell(f"{cell.id}-reference", text, True, True, limits.start_seconds, task, reference))
    needed_ids = _needed_for(cells, {cell.id for cell in cells if cell.is_needed})
    return [dataclasses.replace(cell, is_needed=cell.id in needed_ids) for cell in cells]


def _needed_for(cells: Sequence[RunCell], chosen: set[str]) -> set[str]:
    """Return the ids of the chosen cells, of the first locked one, and of the cells that define a name which one of them uses.

    A locked cell is also needed if one of the chosen binds a name that it binds: which of both comes last decides.
    """
    uses = _Uses(cells)
    locked = [cell.id for cell in cells if not cell.is_students]
    chosen = chosen | set(locked[:1])
    bound = uses.bound_by(chosen)
    return uses.of(chosen | {identity for identity in locked if bound & uses.bound_by({identity})})


def can_be_offered(source: NotebookSource, replaced: Iterable[str], tasks: Iterable[str]) -> bool:
    """Whether references of some tasks can stay out of the kernel in which others are graded.

    Arrays go through a proxy, classes and what a layer or a model is traced with don't: all of them must be functions, and none
    of them may train.
    """
    tasks = set(tasks)
    return not tasks & source.costly.keys() and all(
        source.defines_functions_only(_grade_id(task)) for task in (*replaced, *tasks)
    )


def reference_tasks(submission: Submission) -> set[str]:
    """Return the tasks (or `carry-over`) whose cells are the references."""
    reference = submission.source.reference
    return {slug for slug, answer in _answers(submission) if answer.strip() == reference(slug).strip()}


def stub_tasks(submission: Submission) -> set[str]:
    """Return the tasks (or `carry-over`) whose own cells raise the stub's NotImplementedError."""
    return {slug for slug, answer in _answers(submission) if "raise NotImplementedError" in answer}


def is_only_stub(submission: Submission, cells: Iterable[RunCell], task: str) -> bool:
    """Whether a task's answer is the released stub, and no other of the student's cells seems to define its names."""
    source, grade_id = submission.source, _grade_id(task)
    if not source.is_untouched(grade_id, submission.answer(grade_id), submission.language):
        return False
    names = "|".join(map(re.escape, source.defined_names[grade_id]))
    defined = re.compile(rf"\b(?:def|class|import|as)\s+(?:{names})\b|\b(?:{names})\s*(?:=(?!=)|:=|,)")
    return not any(defined.search(cell.source) for cell in cells if cell.is_students and cell.id != grade_id)


def _answers(submission: Submission) -> Iterator[tuple[str, str]]:
    for cell in submission.cells:
        if cell.id in submission.source.defined_names:
            yield cell.id.removeprefix("task-"), cell.source


def _grade_id(task: str) -> str:
    return task if task == "carry-over" else f"task-{task}"


def _by_themselves(source: NotebookSource, references: Mapping[str, str], limits: Limits) -> dict[str, str]:
    """Return grade id -> code that defines what its reference does, with the locked cells and solutions that it uses."""
    parts = [
        RunCell(cell.id, cell.texts["en"], False, True, limits.start_seconds)
        for cell in source.cells
        if cell.role in ("locked", "task", "carry-over")
    ]
    used = {grade_id: with_dependencies(parts, {grade_id}) for grade_id in references}
    return {
        grade_id: "\n\n\n".join(part.source for part in parts if part.id in used[grade_id]) for grade_id in references
    }


def needed_by(cells: Sequence[RunCell], tasks: Iterable[str], seconds: float) -> list[RunCell]:
    """Return all cells, of which only those are needed that the answers of some tasks need.

    Args:
        cells: the notebook's code cells, in order.
        tasks: slugs of the tasks.
        seconds: the most time that each of the student's cells gets.
    """
    needed = _needed_for(cells, {f"task-{task}" for task in tasks})
    return [
        dataclasses.replace(
            cell, is_needed=cell.id in needed, seconds=min(cell.seconds, seconds) if cell.is_students else cell.seconds
        )
        for cell in cells
    ]


def others_before(cells: Sequence[RunCell], task: str) -> bool:
    """Whether one of the student's cells that a task's answer doesn't need runs before the answer."""
    needed = _needed_for(cells, {f"task-{task}"})
    before = itertools.takewhile(lambda cell: cell.id != f"task-{task}", cells)
    return any(cell.is_students and cell.is_needed and cell.id not in needed for cell in before)


def shown_for(cells: Sequence[RunCell], tasks: Iterable[str]) -> set[str]:
    """Return the ids of the cells that show what became of some tasks, with those that they use and all locked ones.

    These are a task's public checks and the pictures that its answer has a part in: the others look the same without it.
    """
    wanted = set(tasks)
    uses = _Uses(cells)
    shown = {
        cell.id
        for cell in cells
        if not cell.is_needed and cell.is_students and cell.task in wanted and _tells_of_its_task(cell, uses)
    }
    return uses.of(shown | {cell.id for cell in cells if not cell.is_students}) if shown else set()


def _tells_of_its_task(cell: RunCell, uses: _Uses) -> bool:
    return cell.id == f"grade-{cell.task}" or f"task-{cell.task}" in uses.of({cell.id})


def with_dependencies(cells: Sequence[RunCell], chosen: set[str]) -> set[str]:
    """Return the chosen cells' ids and those of the cells that define a name which one of them uses."""
    return _Uses(cells).of(chosen)


class _Uses:
    """Which cells of a notebook use what others define."""

    def __init__(self, cells: Sequence[RunCell]) -> None:
        self._ids = [cell.id for cell in cells]
        self._used: list[frozenset[str]] = []
        self._definers: dict[str, list[int]] = {}
        self._bound: list[set[str]] = [set() for _ in cells]
        self._unread: list[int] = []
        reader = NamesReader()
        locked_imports: dict[str, str] = {}  # name -> the import by which a locked cell was the last to bind it
        for index, cell in enumerate(cells):
            names = reader.read(cell.source)
            self._used.append(_USES_ANYTHING if names is None else names.used)
            if names is None:
                self._unread.append(index)
                continue
            for name, statement in names.bound.items():
                by_import = "" if cell.is_students else statement
                if by_import and locked_imports.get(name) == by_import:
                    continue  # a locked cell before has made the same import
                self._definers.setdefault(name, []).append(index)
                self._bound[index].add(name)
                locked_imports[name] = by_import

    def bound_by(self, chosen: set[str]) -> set[str]:
        """Return the global names that the chosen cells bind, but those that a locked cell before has by the same import."""
        return {
            name for identity, bound in zip(self._ids, self._bound, strict=True) if identity in chosen for name in bound
        }

    def of(self, chosen: set[str]) -> set[str]:
        """Return the chosen cells' ids and those of the cells that define a name which one of them uses."""
        found: set[int] = set()
        queue = [index for index, identity in enumerate(self._ids) if identity in chosen]
        queue += self._unread if queue else []
        all_of: set[str] = set()  # names all of whose definers are in the queue already
        while queue:
            index = queue.pop()
            if index in found:
                continue
            found.add(index)
            if self._used[index] & _USES_ANYTHING:
                return set(self._ids)
            for name in self._used[index]:
                definers = self._definers.get(name, [])
                before = bisect_left(definers, index)
                if before:
                    queue.append(definers[before - 1])
                elif name not in all_of:
                    all_of.add(name)
                    queue += definers
        return {self._ids[index] for index in found}
