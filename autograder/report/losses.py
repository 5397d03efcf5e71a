"""What a submission lost and why, each reason once: the first thing that a student looks for.

Works on the record that a graded notebook keeps (`autograder.report.record.result_record`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Loss", "Part", "count_by_hand", "has_texts", "lines_of", "losses_of"]


@dataclass
class Part:
    """What one reason cost in one task.

    Attributes:
        task: slug of the task.
        points: points that were lost: those of the missed and the held-back lines, or what a person took off; None if a person took
            points off and several reasons share them.
        missed: titles of the lines that were missed.
        held_back: titles of the lines that weren't looked at, because they need a missed line.
        is_whole: whether the task earned nothing, for this reason alone.
    """

    task: str
    points: float | None = 0.0
    missed: list[str] = field(default_factory=list)
    held_back: list[str] = field(default_factory=list)
    is_whole: bool = False


@dataclass
class Loss:
    """One reason for which points were lost.

    Attributes:
        reason: what is wrong, for the student; empty if only a person took points off.
        hint: hint of the known mistake that was recognised; empty if none was.
        pattern: which entries of an answer are right, see `grading.rubric.Miss`.
        parts: task slug -> what the reason cost in this task, in the notebook's order.
    """

    reason: str
    hint: str
    pattern: tuple[str, ...] = ()
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """What it cost in all."""
        return sum(part.points or 0.0 for part in self.parts.values())


def has_texts(record: Mapping[str, Any]) -> bool:
    """Return whether a record holds the page's texts; a record that an earlier version of the grader wrote doesn't."""
    return "order" in record


def lines_of(task: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return line id -> what became of it, in the order of the rubric, of one task of a record."""
    return {identity: task["lines"][identity] for identity in task["order"]}


def losses_of(record: Mapping[str, Any]) -> list[Loss]:
    """Return each reason for which points were lost once, in the order in which it first came up."""
    found: dict[tuple[str, str], Loss] = {}
    for slug in record["order"]:
        lines = lines_of(record["tasks"][slug])
        reasons: dict[str, tuple[str, str]] = {}  # of each missed line
        for identity, line in lines.items():
            if line["status"] == "missed":
                key = reasons[identity] = (line["text"], line["hint"])
                loss = found.setdefault(key, Loss(*key))
                loss.pattern = loss.pattern or tuple(line["pattern"])
                part = loss.parts.setdefault(slug, Part(slug))
                part.missed.append(line["title"])
            elif line["status"] == "blocked" and line["blocked_by"] in reasons:
                part = found[reasons[line["blocked_by"]]].parts[slug]
                part.held_back.append(line["title"])
            else:
                continue
            part.points = (part.points or 0.0) + line["points"]
        if len(set(reasons.values())) == 1 and all(line["status"] != "passed" for line in lines.values()):
            found[next(iter(reasons.values()))].parts[slug].is_whole = True
    return list(found.values())


def count_by_hand(losses: list[Loss], lost: Mapping[str, float]) -> None:
    """Replace what tasks lost by what a person's points take off; a task that had lost nothing becomes a loss without a reason.

    Args:
        losses: what the grader found; changed in place.
        lost: slug of each task to which a person gave other points than the grader -> points that it has lost by these.
    """
    for slug, points in lost.items():
        parts = [loss.parts[slug] for loss in losses if slug in loss.parts]
        for part in parts:
            part.points = None if points and len(parts) > 1 else points
            part.is_whole = False
        if points and not parts:
            losses.append(Loss("", "", parts={slug: Part(slug, points)}))
