"""Explanations of lost rubric lines that give nothing away of the secret questions.

Secret questions decide whether a line is lost. What is wrong is then found out by practice questions: they are drawn in the same way, are no
secret, and are put to a kernel that has met no secret question. A student's code may hide what it was asked in its exceptions, shapes and wrong
entries; an explanation made of these tells of the secret questions only that the line was lost. The name of a known mistake comes from the
same answers (`grading/naming.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from autograder.base.text import Text
from autograder.grading.runner import LineResult, TaskResult
from autograder.kernels.quoting import NOT_WRITTEN

# A training is asked for this many pairs when a line is explained: enough to raise again what it raised.
PRACTICE_PAIRS = 128

RIGHT_IN_PRACTICE = Text(
    "Wrong for the inputs that it was graded with, right for others drawn in the same way. Does it depend on chance, on "
    "earlier calls, or on something outside of it? Or is it nearly right, so that few inputs show what is wrong?",
    "채점에 쓴 입력에서는 틀렸지만 같은 방식으로 뽑은 다른 입력에서는 맞습니다. 우연이나 앞서 한 호출, 바깥의 무언가에 따라 결과가 달라지지 "
    "않나요? 아니면 거의 맞아서 일부 입력에서만 틀린 것이 드러나나요?",
)
NOT_PRACTISED = Text(
    "Wrong for the inputs that it was graded with. What came of others could not be found out.",
    "채점에 쓴 입력에서 틀렸습니다. 다른 입력에서는 어떤지 알아내지 못했습니다.",
)
WRONG_AFTER_RIGHT_WORK = Text(
    "Wrong with right work before it, too. Mend the tasks before this one first: then this line tells more.",
    "앞의 과제가 맞다고 보아도 틀립니다. 앞의 과제부터 고치면 이 항목에서 더 자세히 알려 줍니다.",
)


def lines_to_explain(result: TaskResult, *, is_costly: bool = False) -> set[str]:
    """Return the ids of a task's missed lines whose explanations could tell of the questions.

    Args:
        result: the task's result.
        is_costly: whether the task trains. A training isn't repeated to be explained: how many of the held-out pairs came out right says
            little of the pairs. What a training raised is asked for again, with few pairs.
    """
    return {
        line.id
        for line in result.lines
        if line.status == "missed" and line.kind and not (is_costly and line.line.points)
    }


def as_unwritten(result: TaskResult) -> TaskResult:
    """Return the result of a stub: its lost lines say so, for another cell's code may have put anything in its place."""
    return replace(
        result, lines=tuple(_explained(line, NOT_WRITTEN) if line.status == "missed" else line for line in result.lines)
    )


def explained(result: TaskResult, practised: TaskResult, lines: Collection[str]) -> TaskResult:
    """Return a task's result with some of its lost lines explained by what came of them in practice."""
    return _changed(result, practised, lines, _as_practised)


def explained_as_before(result: TaskResult, practised: TaskResult | None, lines: Collection[str]) -> TaskResult:
    """Return the result of a second look with its lost lines explained by the practice that followed the first look.

    The kernel of the second look has held references, so an explanation made in it could give them away. And explaining only those lines
    that were practised would tell which lines the first look had lost. So either all lost lines are explained by that practice or,
    if one of them wasn't practised, none.

    Args:
        result: the task's result of the second look.
        practised: the task's result of the practice after the first look; None if there was none.
        lines: ids of the lines that are to be explained.
    """
    known = {line.id for line in practised.lines if line.status in ("passed", "missed")} if practised else set()
    if practised is None or not set(lines) <= known:
        return _changed(result, result, lines, _unexplained)
    return _changed(result, practised, lines, _as_before)


def _changed(
    result: TaskResult,
    other: TaskResult,
    lines: Collection[str],
    change: Callable[[LineResult, LineResult], LineResult],
) -> TaskResult:
    others = {line.id: line for line in other.lines}
    return replace(
        result, lines=tuple(change(line, others[line.id]) if line.id in lines else line for line in result.lines)
    )


def _as_practised(line: LineResult, practised: LineResult) -> LineResult:
    if practised.status == "missed":
        return _explained_as(line, practised)
    return _explained(line, RIGHT_IN_PRACTICE if practised.status == "passed" else NOT_PRACTISED)


def _as_before(line: LineResult, practised: LineResult) -> LineResult:
    # an exception was perhaps that of the work before, which the second look has replaced
    if practised.status == "missed" and not practised.raised:
        return _explained_as(line, practised)
    return _unexplained(line, practised)


def _unexplained(line: LineResult, _: LineResult) -> LineResult:
    return _explained(line, WRONG_AFTER_RIGHT_WORK)


def _explained_as(line: LineResult, other: LineResult) -> LineResult:
    return replace(line, text=other.text, mistake=other.mistake, pattern=other.pattern)


def _explained(line: LineResult, text: Text) -> LineResult:
    return replace(line, text=text, mistake=None, pattern=())
