"""What a proof gave, case by case, in a file: to be compared after a change that should change no verdict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.base.errors import CourseError

FORMAT = 1


@dataclass(frozen=True)
class CaseRecord:
    """The verdict on one case.

    Attributes:
        points: task -> points; None for an ungraded task.
        lines: rubric line -> `passed`, `missed`, `blocked` or `ungraded`.
        names: rubric line -> the mistake that was named in it.
    """

    points: Mapping[str, float | None]
    lines: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ProofRecord:
    """The verdicts on all cases of a proof.

    Attributes:
        backend: Keras backend on which the cases were graded.
        cases: `<assignment> <kind>:<id>` -> verdict.
    """

    backend: str
    cases: Mapping[str, CaseRecord]


@dataclass(frozen=True)
class Difference:
    """One thing in which two proofs differ.

    Attributes:
        case: `<assignment> <kind>:<id>`.
        text: what was recorded and what came now.
        is_harmless: whether a mistake has got its name, or the case is new; every other difference changes a verdict.
    """

    case: str
    text: str
    is_harmless: bool = False


def write_record(record: ProofRecord, path: Path) -> None:
    """Write a record, one case a line and sorted by the cases' names: the files of two equal proofs are equal."""
    cases = [
        f"  {json.dumps(name)}: "
        + json.dumps({"points": case.points, "lines": case.lines, "names": case.names}, sort_keys=True)
        for name, case in sorted(record.cases.items())
    ]
    head = f'{{"format": {FORMAT}, "backend": {json.dumps(record.backend)}, "cases": {{\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + ",\n".join(cases) + "\n}}\n", encoding="utf-8")


def read_record(path: Path) -> ProofRecord:
    """Read what `write_record` wrote.

    Raises:
        CourseError: the file can't be read, or holds something else.
    """
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CourseError(
            f"A record must be a file that `autograder check --record` wrote. Received: {path}: {error}."
        ) from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise CourseError(f"A record must be of format {FORMAT}. Received: {path}; record again with this version.")
    try:
        cases = {
            name: CaseRecord(case["points"], case["lines"], case["names"]) for name, case in found["cases"].items()
        }
        return ProofRecord(found["backend"], cases)
    except (KeyError, TypeError, AttributeError) as error:
        raise CourseError(f"A record must be whole. Received: {path}, in which {error} is missing.") from error


def differences(recorded: ProofRecord, now: ProofRecord) -> list[Difference]:
    """Return in what the cases that were graded now differ from the recorded ones.

    Cases that were recorded and not graded now are no difference: see `not_graded`.
    """
    found: list[Difference] = []
    if recorded.backend != now.backend:
        found.append(Difference("all cases", f"were recorded on {recorded.backend}, and graded on {now.backend}"))
    for name, case in sorted(now.cases.items()):
        before = recorded.cases.get(name)
        if before is None:
            found.append(Difference(name, "is new", is_harmless=True))
            continue
        for kind, old, new in (("task", before.points, case.points), ("line", before.lines, case.lines)):
            for key in sorted(old.keys() | new.keys()):
                if old.get(key, "absent") != new.get(key, "absent"):
                    text = f"{kind} {key}: {old.get(key, 'absent')} -> {new.get(key, 'absent')}"
                    found.append(Difference(name, text))
        # a name may be gained and may stand at another line of its case; none may be lost or changed
        old_names, new_names = set(before.names.values()), set(case.names.values())
        if old_names != new_names:
            is_gained = not old_names and len(new_names) == 1
            found.append(Difference(name, f"named {_listed(old_names)} -> {_listed(new_names)}", is_gained))
    return found


def not_graded(recorded: ProofRecord, now: ProofRecord, assignments: Iterable[str]) -> list[Difference]:
    """Return the recorded cases of some assignments that were not graded now, as differences."""
    chosen = set(assignments)
    absent = [name for name in recorded.cases if name not in now.cases and name.split(" ")[0] in chosen]
    return [Difference(name, "was recorded, and not graded now") for name in absent]


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"
