"""Mutants: the solution's cells with one place changed by an operator, and a sample of them that is the same each time."""

from __future__ import annotations

import ast
import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, takewhile

from autograder.proof.operators import changes, scope_of
from autograder.sources.catalogue import bare
from autograder.sources.notebooks import NotebookSource


@dataclass(frozen=True)
class Mutant:
    """A right answer with one place changed.

    Attributes:
        id: eight hexadecimal digits that depend on the task, the function around the change and the changed lines alone: it
            stays when other cells, or other lines of this one, change.
        task: slug of the task whose cell it is.
        operator: what made it.
        diff: the lines that went, `- …`, and those that came, `+ …`.
        code: the whole cell, without comments.
    """

    id: str
    task: str
    operator: str
    diff: str
    code: str


def mutants_of(source: NotebookSource, tasks: Iterable[str] = ()) -> list[Mutant]:
    """Return every mutant of the solution's cells, in the order of the notebook; of those that read alike the first.

    Args:
        source: the source of the assignment's notebook.
        tasks: slugs of the tasks to mutate; none means all but costly ones.
    """
    chosen = set(tasks) or set(source.points) - set(source.costly)
    return [
        mutant for slug in source.points if slug in chosen for mutant in mutants_of_cell(slug, source.reference(slug))
    ]


def mutants_of_cell(task: str, code: str) -> list[Mutant]:
    """Return the mutants of one cell.

    Args:
        task: slug of the task that the cell belongs to.
        code: the right cell.
    """
    tree = ast.parse(bare(code))
    scope = scope_of(tree)
    parts = [ast.unparse(part) for part in tree.body]
    right = "\n".join(parts)
    seen, ids = {right}, set()
    found: list[Mutant] = []
    for i, part in enumerate(tree.body):
        for holder, name, place, node, where in list(_places(tree, i)):
            for operator, other in list(changes(node, scope)):
                wrong = "\n".join((*parts[:i], _with(part, (holder, name, place), other), *parts[i + 1 :]))
                if wrong in seen or not _is_valid(wrong):
                    continue
                seen.add(wrong)
                diff = _diff(right, wrong)
                identity = next(each for each in _identities(task, where, diff) if each not in ids)
                ids.add(identity)
                found.append(Mutant(identity, task, operator, diff, f"{wrong}\n"))
    return found


def sampled(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return a sample in which tasks, and within a task operators, have as equal shares as there are mutants of them.

    Which mutants are drawn depends on the seed and their ids. A larger sample holds the smaller one of the same seed.

    Args:
        mutants: the mutants to draw from.
        size: how many mutants to draw; 0 means all.
        seed: another one, another sample.
    """
    strata: dict[str, dict[str, list[Mutant]]] = {}
    for mutant in mutants:
        strata.setdefault(mutant.task, {}).setdefault(mutant.operator, []).append(mutant)

    def rank(word: str) -> str:
        return hashlib.sha256(f"{seed}\n{word}".encode()).hexdigest()

    by_task = {
        task: _in_turns(
            [sorted(of[operator], key=lambda m: rank(m.id)) for operator in sorted(of, key=lambda o: rank(task + o))]
        )
        for task, of in strata.items()
    }
    drawn = _in_turns(list(by_task.values()))
    return drawn[:size] if size else drawn


def _in_turns(queues: list[list[Mutant]]) -> list[Mutant]:
    longest = max(map(len, queues), default=0)
    return [queue[i] for i in range(longest) for queue in queues if i < len(queue)]


def _places(tree: ast.Module, part: int) -> Iterator[tuple[ast.AST, str, int | None, ast.AST, str]]:
    """Yield each node below a cell's statement with the node that holds it, the field's name, where that is a list the index,
    and the names of the classes and functions around it."""
    queue: deque[tuple[ast.AST, str]] = deque([(tree.body[part], "")])
    while queue:
        holder, where = queue.popleft()
        if isinstance(holder, (ast.ClassDef, ast.FunctionDef)):
            where = f"{where}.{holder.name}"
        for name, value in ast.iter_fields(holder):
            for i, node in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(node, ast.AST):
                    yield holder, name, i if isinstance(value, list) else None, node, where
                    queue.append((node, where))


def _with(part: ast.stmt, where: tuple[ast.AST, str, int | None], other: ast.AST | list[ast.stmt]) -> str:
    """Return a statement's text with another node in a place; the statement stays as it is."""
    holder, name, place = where
    before = getattr(holder, name)
    if place is None:
        changed = other
    else:
        changed = [*before[:place], *(other if isinstance(other, list) else [other]), *before[place + 1 :]]
    setattr(holder, name, changed)
    try:
        return ast.unparse(part)
    finally:
        setattr(holder, name, before)


def _is_valid(code: str) -> bool:
    try:
        compile(code, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _diff(right: str, wrong: str) -> str:
    """Return the lines that differ; they stand together, since one place was changed."""
    before, after = right.split("\n"), wrong.split("\n")
    same = zip(before, after, strict=False)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], same))
    same = zip(before[start:][::-1], after[start:][::-1], strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], same))
    went, came = before[start : len(before) - end], after[start : len(after) - end]
    return "\n".join([*(f"- {line.strip()}" for line in went), *(f"+ {line.strip()}" for line in came)])


def _identities(task: str, where: str, diff: str) -> Iterator[str]:
    """Yield the ids for the first, the second … change of the same lines of a function."""
    for number in count():
        words = "\n".join((task, where, diff, str(number)))
        yield hashlib.sha256(words.encode()).hexdigest()[:8]
