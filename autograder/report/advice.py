"""What an instructor acts on: which mistakes were made and mended, lines that nobody or everybody earned, who is stuck.

Works on the records that graded notebooks keep (`autograder.report.record.result_record`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autograder.report.items import ENOUGH, Item, Record

__all__ = ["RecognisedMistake", "Stuck", "earned_by_all", "earned_by_none", "recognised_mistakes", "stuck"]


@dataclass
class RecognisedMistake:
    """One recognised mistake in a class.

    Attributes:
        task: slug of the task.
        mistake: id.
        students: ids of the students whose latest submission makes the mistake.
        followed_up: number of submissions with the mistake after which the same student handed in again.
        cured: number of these next submissions that earned all lines which the mistake had cost.
    """

    task: str
    mistake: str
    students: list[str] = field(default_factory=list)
    followed_up: int = 0
    cured: int = 0


@dataclass(frozen=True)
class Stuck:
    """A student who makes no progress with a task.

    Attributes:
        student: id.
        task: slug of the task.
        points: points that the latest submission earned in the task.
        tries: number of submissions in a row that earned no more points; 1: there is one submission, and it earned nothing.
    """

    student: str
    task: str
    points: float
    tries: int


def recognised_mistakes(histories: Mapping[str, Sequence[Record]]) -> list[RecognisedMistake]:
    """Return the recognised mistakes, the commonest of the latest submissions first.

    Args:
        histories: student -> records of all submissions, oldest first.
    """
    found: dict[tuple[str, str], RecognisedMistake] = {}
    for student, records in histories.items():
        for number, record in enumerate(records):
            later = records[number + 1] if number + 1 < len(records) else None
            for (slug, mistake), lines in _named(record).items():
                counts = found.setdefault((slug, mistake), RecognisedMistake(slug, mistake))
                if later is None:
                    counts.students.append(student)
                else:
                    counts.followed_up += 1
                    counts.cured += all(_status(later, slug, identity) == "passed" for identity in lines)
    return sorted(found.values(), key=lambda each: (-len(each.students), -each.followed_up, each.task, each.mistake))


def stuck(histories: Mapping[str, Sequence[Record]]) -> list[Stuck]:
    """Return who wrote an answer that earns nothing, or no more than the one before; the longest stuck first.

    Args:
        histories: student -> records of all submissions, oldest first.
    """
    found: list[Stuck] = []
    for student, records in histories.items():
        for slug, task in records[-1]["tasks"].items() if records else ():
            is_stub = any(line["unwritten"] for line in task["lines"].values())
            points = [record["tasks"].get(slug, {}).get("points") for record in records]
            if is_stub or points[-1] is None or points[-1] >= task["max_points"]:
                continue
            tries = 1
            while tries < len(points) and (before := points[-tries - 1]) is not None and before >= points[-tries]:
                tries += 1
            if tries > 1 or (len(points) == 1 and not points[-1]):
                found.append(Stuck(student, slug, points[-1], tries))
    return sorted(found, key=lambda entry: (-entry.tries, entry.student))


def earned_by_none(items: Sequence[Item]) -> list[Item]:
    """Return the lines that nobody earned of those who wrote something, where these are enough to say so."""
    return [item for item in items if item.tried >= ENOUGH and not item.passed]


def earned_by_all(items: Sequence[Item]) -> list[Item]:
    """Return the lines with points that everybody earned who wrote something, where these are enough to say so."""
    return [item for item in items if item.tried >= ENOUGH and item.passed == item.tried and item.line.points]


def _named(record: Record) -> dict[tuple[str, str], list[str]]:
    """Return (task, mistake) -> the lines that were lost by it."""
    found: dict[tuple[str, str], list[str]] = {}
    for slug, task in record["tasks"].items():
        for identity, line in task["lines"].items():
            if line["mistake"] and not line["unwritten"]:
                found.setdefault((slug, line["mistake"]), []).append(identity)
    return found


def _status(record: Record, slug: str, identity: str) -> str:
    line = record["tasks"].get(slug, {}).get("lines", {}).get(identity, {})
    return str(line.get("status", ""))
