"""Item analysis: which rubric lines a class earned, and which told strong from weak work.

Works on the records that graded notebooks keep (`autograder.report.record.result_record`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.sources.rubric_table import RubricLine

Record = Mapping[str, Any]
ENOUGH = 5  # submissions, for a correlation that says anything


@dataclass(frozen=True)
class Item:
    """One rubric line in a class.

    Attributes:
        id: of the line.
        line: its task, points and title.
        passed: number of submissions that earned the line.
        missed: number of submissions that missed it.
        blocked: number of submissions in which it wasn't looked at, because a line it needs was not earned.
        unwritten: number of submissions whose answer is a stub, whatever the line's status; they count nowhere else.
        ungraded: number of submissions in which the line has no verdict.
        followed: number of those submissions in `passed` that earned the line after an earlier task had been replaced by right code.
        discrimination: correlation, -1 to 1, of earning this line with the points of all others (the corrected item-total
            correlation of classical test theory); None if too few were graded or all did alike.
        mistakes: id of a recognised mistake -> how often.
    """

    id: str
    line: RubricLine
    passed: int = 0
    missed: int = 0
    blocked: int = 0
    unwritten: int = 0
    ungraded: int = 0
    followed: int = 0
    discrimination: float | None = None
    mistakes: Mapping[str, int] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """Number of submissions with a graded answer that is no stub."""
        return self.passed + self.missed + self.blocked

    @property
    def pass_rate(self) -> float | None:
        """Share of `tried` that earned the line, from 0 to 1; None if nobody tried."""
        return self.passed / self.tried if self.tried else None


def analyse(rubric: Mapping[str, RubricLine], records: Sequence[Record]) -> list[Item]:
    """Return one item per rubric line, in the rubric's order.

    Args:
        rubric: line id -> line.
        records: records of the class's submissions. Lines that a record lacks, such as a refused file's, count nowhere.
    """
    found = [_lines(record) for record in records]
    return [_item(identity, line, rubric, found) for identity, line in rubric.items()]


def _lines(record: Record) -> dict[str, Mapping[str, Any]]:
    """Return line id -> what became of it; a task whose answer is a stub is unwritten in all its lines."""
    found: dict[str, Mapping[str, Any]] = {}
    for task in record["tasks"].values():
        is_stub = any(line["unwritten"] for line in task["lines"].values())
        found.update({identity: {**line, "unwritten": is_stub} for identity, line in task["lines"].items()})
    return found


def _item(
    identity: str, line: RubricLine, rubric: Mapping[str, RubricLine], found: Sequence[Mapping[str, Mapping[str, Any]]]
) -> Item:
    own = [lines[identity] for lines in found if identity in lines]
    written = [outcome for outcome in own if not outcome["unwritten"]]
    counted = Counter(outcome["status"] for outcome in written)
    return Item(
        identity,
        line,
        passed=counted["passed"],
        missed=counted["missed"],
        blocked=counted["blocked"],
        unwritten=len(own) - len(written),
        ungraded=counted["ungraded"],
        followed=sum(bool(outcome["followed"]) for outcome in written if outcome["status"] == "passed"),
        discrimination=_discrimination(identity, rubric, found),
        mistakes=dict(Counter(outcome["mistake"] for outcome in written if outcome["mistake"])),
    )


def _discrimination(
    identity: str, rubric: Mapping[str, RubricLine], found: Sequence[Mapping[str, Mapping[str, Any]]]
) -> float | None:
    graded = [
        lines
        for lines in found
        if identity in lines and all(outcome["status"] != "ungraded" for outcome in lines.values())
    ]
    earned = np.array([lines[identity]["status"] == "passed" for lines in graded], dtype=float)
    others = np.array(
        [
            sum(
                rubric[i].points
                for i, outcome in lines.items()
                if i in rubric and i != identity and outcome["status"] == "passed"
            )
            for lines in graded
        ]
    )
    if len(graded) < ENOUGH or not earned.std() or not others.std():
        return None
    return float(np.corrcoef(earned, others)[0, 1])
