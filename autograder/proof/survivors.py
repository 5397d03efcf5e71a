"""The mutants of an assignment that may earn full points, each with its reason, and the last run that found no other.

They stand in `solutions/<assignment>/survivors.toml`, a table `[[survivor]]` each: `id`, `task`, `diff`, `kind` and `reason` as
`autograder mutate` prints them, with the reason written by hand.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.base.errors import CourseError
from autograder.grading.naming import grader_files
from autograder.proof.mutants import Mutant
from autograder.sources.catalogue import bare
from autograder.sources.notebooks import NotebookSource

FILE_NAME = "survivors.toml"
# It computes the same; the text says nothing of it; it asks for it, and no answer of a student is worth a question more.
SURVIVOR_KINDS = ("equivalent", "outside", "minor")
_CLEAN = re.compile(r"^clean = .*\n?", re.MULTILINE)
_KEYS = ("id", "task", "diff", "kind", "reason")


@dataclass(frozen=True)
class Survivor:
    """A mutant that may earn full points.

    Attributes:
        id: id of the mutant.
        task: slug of the task whose solution the mutant changes.
        diff: the changed lines, as `Mutant.diff` has them.
        kind: one of `SURVIVOR_KINDS`.
        reason: why the mutant may earn full points, in a sentence.
    """

    id: str
    task: str
    diff: str
    kind: str
    reason: str


@dataclass(frozen=True)
class CleanRun:
    """A run that found no survivor but the accepted ones.

    Attributes:
        of: digest of the cells, graders and rubric that were graded; see `digest`.
        seed: seed by which the sample of mutants was drawn.
        sample: number of mutants that were graded; 0 means all.
    """

    of: str
    seed: int
    sample: int

    def covers(self, other: CleanRun) -> bool:
        """Return whether another run would grade nothing that this one hasn't graded."""
        if self.of != other.of:
            return False
        return self.sample == 0 or (self.seed == other.seed and 0 < other.sample <= self.sample)


@dataclass(frozen=True)
class AcceptedSurvivors:
    """What the file `survivors.toml` of an assignment holds.

    Attributes:
        survivors: id of a mutant -> accepted survivor.
        clean: the last run without other survivors; None if there was none.
    """

    survivors: dict[str, Survivor] = field(default_factory=dict)
    clean: CleanRun | None = None


def read_accepted(folder: Path) -> AcceptedSurvivors:
    """Read the accepted survivors of an assignment; without a file there are none.

    Raises:
        CourseError: the file is malformed, or an entry lacks something, such as its reason.
    """
    path = folder / FILE_NAME
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return AcceptedSurvivors()
    except (OSError, ValueError) as error:
        raise CourseError(f"Accepted survivors must be TOML. Received: {path}: {error}.") from error
    try:
        clean = CleanRun(**found["clean"]) if "clean" in found else None
        entries = list(found.get("survivor", []))
    except (TypeError, AttributeError) as error:
        raise CourseError(
            f"Accepted survivors are tables [[survivor]] below a line `clean = …`. Received: {path}: {error}."
        ) from error
    survivors = [_survivor(entry, path) for entry in entries]
    if len({each.id for each in survivors}) < len(survivors):
        raise CourseError(f"Each survivor must be accepted once. Received: an id twice in {path}.")
    return AcceptedSurvivors({each.id: each for each in survivors}, clean)


def _survivor(entry: Any, path: Path) -> Survivor:
    if not isinstance(entry, dict) or set(entry) != set(_KEYS) or not all(isinstance(v, str) for v in entry.values()):
        raise CourseError(f"A survivor has the texts {', '.join(_KEYS)}. Received: {entry!r} in {path}.")
    if entry["kind"] not in SURVIVOR_KINDS or not entry["reason"].strip():
        raise CourseError(
            f"A survivor's kind is one of {', '.join(SURVIVOR_KINDS)}, and its reason is written. Received: {entry!r} in {path}."
        )
    return Survivor(**{**entry, "diff": entry["diff"].strip("\n")})


def entry_of(mutant: Mutant) -> str:
    """Return the table of a survivor as it is put into the file, where its kind and reason are to be written."""
    lines = [
        "[[survivor]]",
        f'id = "{mutant.id}"',
        f'task = "{mutant.task}"',
        f"diff = {_multiline(mutant.diff)}",
        'kind = ""',
        'reason = ""',
    ]
    return "\n".join(lines) + "\n"


def _multiline(text: str) -> str:
    """Return a text as TOML: literal where that is possible, for the eyes."""
    return f"'''\n{text}\n'''" if "'''" not in text else json.dumps(text)


def write_clean(folder: Path, clean: CleanRun) -> None:
    """Put a run without new survivors at the head of an assignment's file, which is made if there is none."""
    path = folder / FILE_NAME
    text = path.read_text(encoding="utf-8") if path.exists() else _HEAD
    line = f'clean = {{ of = "{clean.of}", seed = {clean.seed}, sample = {clean.sample} }}\n'
    if _CLEAN.search(text):
        text = _CLEAN.sub(line, text, count=1)
    else:
        head, tables, rest = text.partition("[[survivor]]")
        text = f"{head.rstrip()}\n\n{line}" + (f"\n{tables}{rest}" if tables else "")
    path.write_text(text, encoding="utf-8")


_HEAD = """# Mutants of the solution that earn full points, and may: see `autograder mutate` in docs/authors.md.
"""


def digest(source: NotebookSource) -> str:
    """Return the SHA-256 of what the verdicts on an assignment's mutants depend on: cells, graders, rubric."""
    cells = {cell.id: bare(cell.texts["en"]) for cell in source.cells if cell.role in ("locked", "task", "carry-over")}
    files = {
        str(path.relative_to(source.folder.parent)): path.read_text(encoding="utf-8")
        for path in grader_files(source.folder)
    }
    lines = [(name, line.task, line.points, line.needs) for name, line in source.rubric.items()]
    return hashlib.sha256(json.dumps([cells, files, lines], sort_keys=True).encode()).hexdigest()


def obsolete_survivors(accepted: AcceptedSurvivors, mutants: Iterable[Mutant]) -> list[Survivor]:
    """Return the accepted survivors that no operator makes any more: their lines have changed."""
    ids = {mutant.id for mutant in mutants}
    return [survivor for survivor in accepted.survivors.values() if survivor.id not in ids]
