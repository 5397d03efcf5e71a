"""A task that lost points is looked at again with right work before it: which tasks, with what replaced, and which result counts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from autograder.base.text import Text
from autograder.grading.runner import TaskResult
from autograder.sources.notebooks import NotebookSource


def follow_through_plan(
    source: NotebookSource,
    results: Mapping[str, TaskResult],
    references: Collection[str] = (),
    stubs: Collection[str] = (),
) -> dict[frozenset[str], set[str]]:
    """Return which tasks deserve another look, and with which predecessors replaced by right ones.

    A task is looked at again if it misses points and was written at all, with everything that it builds on replaced:
    also what earned its points, for no rubric sees every flaw, and carried-over work has none. A costly task is looked
    at again only if something that it builds on is known to be wrong.

    Args:
        source: the source of the assignment's notebook.
        results: task slug -> result of the first grading.
        references: slugs of the tasks (or `carry-over`) whose cells hold the reference already.
        stubs: slugs of the tasks whose own cells raise NotImplementedError; a task that only calls such a task isn't among them.

    Returns:
        Set of predecessors (task slugs or `carry-over`) -> tasks.
    """
    plan: dict[frozenset[str], set[str]] = {}
    for slug, result in results.items():
        if result.points is None or result.is_full or (slug in stubs and _is_unwritten(result)):
            continue
        before = frozenset(source.predecessors(slug)) - set(references)
        if carried := source.costly.get(slug):
            is_missed = any(line.id == carried and line.status == "missed" for line in result.lines)
            if not share_wrong(before, results, is_carried_wrong=is_missed):
                continue
        if before:
            plan.setdefault(before, set()).add(slug)
    return plan


def share_wrong(before: Iterable[str], results: Mapping[str, TaskResult], *, is_carried_wrong: bool) -> float:
    """Return how much of what a task builds on is known to be wrong, from 0 (nothing) to 1.

    Args:
        before: slugs of the tasks that the task builds on; may hold `carry-over`.
        results: task slug -> result.
        is_carried_wrong: whether the line that judges the carried-over work was missed: then all of that is wrong.

    Returns:
        The largest share of its points that one of the tasks lost.
    """
    if is_carried_wrong:
        return 1.0
    lost = [results[slug] for slug in before if slug in results and not results[slug].is_full]
    return max((1 - (result.points or 0.0) / result.max_points for result in lost), default=0.0)


def ways_to_replace(
    replaced: frozenset[str], tasks: Collection[str], first: Mapping[str, TaskResult], hung: frozenset[str]
) -> list[tuple[frozenset[str], bool]]:
    """Return, in turn, which tasks to replace by right answers, and whether these return the kind of arrays that the student's own do.

    A student's code fits either its own functions' kind of arrays or the reference's: the better one counts. What hung is
    tried once.

    Args:
        replaced: what `tasks` build on: task slugs, or `carry-over`.
        tasks: slugs of the tasks that are graded again.
        first: task slug -> the task's result with everything as it was handed in; carried-over work has none.
        hung: slugs of the tasks that hung or ended their kernel.
    """
    if hung & replaced.union(tasks):
        return [(replaced, False)]
    flawed = frozenset(slug for slug in replaced if slug not in first or not first[slug].is_full)
    return [(instead, imitate) for instead in dict.fromkeys((replaced, flawed)) if instead for imitate in (True, False)]


def better(first: TaskResult, again: TaskResult) -> TaskResult:
    """Return the grading of a task with more points, the first of two equal ones.

    A second one that stayed ungraded counts too: what a task would have earned that isn't full nobody knows.
    """
    if first.points is None or first.is_full:
        return first
    return again if again.points is None or again.points > first.points else first


def with_earned_before(first: TaskResult, again: TaskResult) -> TaskResult:
    """Return a second grading in which a line that the student's own work had earned isn't lost by an answer that raises.

    Code may use what right work of other people lacks, an attribute of its own layer: then it raises with that alone.
    """
    earned = {line.id: line for line in first.lines if line.status == "passed"}
    return replace(
        again,
        lines=tuple(
            earned.get(line.id, line) if line.raised or line.status == "blocked" else line for line in again.lines
        ),
    )


def with_follow_through(first: TaskResult, again: TaskResult) -> TaskResult:
    """Return the better of two gradings of a task.

    If it is the second, all of the lines that it earns are marked as followed: which of them the first had earned too would
    tell of the questions.
    """
    best = better(first, again)
    if best is first or best.points is None:
        return best
    return replace(again, lines=tuple(replace(line, followed=line.status == "passed") for line in again.lines))


def about_carried_work(
    source: NotebookSource, results: Mapping[str, TaskResult], is_reference: Callable[[], bool]
) -> Text | None:
    """Return the note for the student that carried-over work is probably wrong, None where nothing says so.

    It has no points that it could lose, and no rubric lines that could tell of it. It is to blame where a task earned more
    with everything right before it, though no task before it lost points.

    Args:
        source: the source of the assignment's notebook.
        results: the tasks' final results.
        is_reference: whether the carried-over work is the reference already.
    """
    spared = [
        slug
        for slug, result in results.items()
        if any(line.followed for line in result.lines)
        and "carry-over" in (before := source.predecessors(slug))
        and all(results[each].is_full for each in before & results.keys())
    ]
    if not spared or is_reference():
        return None
    tasks = ", ".join(f"`{slug}`" for slug in spared)
    return Text(
        f"{tasks} earned more with right code in place of yours before it, though no task before it lost points. So something in the "
        "code that you carried over is probably wrong, or doesn't fit here. It costs no points. Run your notebook from the top: the "
        "cells around the carried-over code show more.",
        f"앞의 코드를 모두 옳은 코드로 바꾸었더니 {tasks}의 점수가 올랐습니다. 앞 과제에서는 잃은 점수가 없으니, 앞 노트북에서 가져온 "
        "코드(carry-over)에 틀렸거나 이 노트북에 맞지 않는 부분이 있을 가능성이 큽니다. 이 때문에 잃은 점수는 없습니다. 노트북을 처음부터 "
        "실행하고 가져온 코드 앞뒤에 있는 셀의 결과를 확인하세요.",
    )


def _is_unwritten(result: TaskResult) -> bool:
    missed = [line for line in result.lines if line.status == "missed"]
    return bool(missed) and all(line.unwritten for line in missed)
