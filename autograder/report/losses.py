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
        task: slug.
        points: that the missed lines and those held back are worth, or that a person took off; None if one of several reasons has cost
            an unknown part of these.
        missed: titles of the lines that were missed.
        held_back: titles of the lines that weren't looked at, since they need one of those.
        is_whole: nothing of the task was earned, for this reason alone.
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
        reason: what is wrong; empty if nobody could say it.
        hint: of the mistake that was recognised; empty if none was.
        pattern: which entries of an answer are right, see `grading.rubric.Miss`.
        parts: task -> what it cost there, in the notebook's order.
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
    """Whether a record holds what the page says; one that an earlier version of the grader wrote doesn't."""
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
                part.points = (part.points or 0.0) + line["points"]
            elif line["status"] == "blocked" and line["blocked_by"] in reasons:
                part = found[reasons[line["blocked_by"]]].parts[slug]
                part.held_back.append(line["title"])
                part.points = (part.points or 0.0) + line["points"]
        if len(set(reasons.values())) == 1 and all(line["status"] != "passed" for line in lines.values()):
            found[next(iter(reasons.values()))].parts[slug].is_whole = True
    return list(found.values())


def count_by_hand(losses: list[Loss], lost: Mapping[str, float]) -> None:
    """Let tasks cost what they cost by a person's points; one that has lost nothing before becomes a loss without a reason.

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
