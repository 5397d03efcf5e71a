"""What public checks say of answers, wrong ones and unusual right ones: `solutions/<assignment>/tests/public_check_cases.py`.

The file is a percent script, text that is read and never imported. Its header names the cell of the check, which stands behind the task's
cell, and the answer in words. Then comes a part of the sentence that the check has to say, and the cell as a student would hand it in:

    # %% check="grade-softmax" answer="the largest number over all rows"
    # says: over all rows
    def softmax(x, axis=-1):
        …

Lines `# notes: …` instead of `# says: …`: the check holds, and this stands in a note below it. `right=true` in the header and neither:
the check holds without a note. The cell may be edits, as in `mistakes.py`, lines `# - …` and `# + …`: of the solution's, or of the cell
of an earlier answer to the same check, which `of="its words"` in the header names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.base.errors import CourseError
from autograder.sources.catalogue import Edit, bare, edited, read_edits
from autograder.sources.notebooks import SourceCell
from autograder.sources.percent_script import ScriptCell, code_of, read_cells, require_keys

ROOT = Path(__file__).resolve().parent.parent
SAYS, NOTES = "# says: ", "# notes: "


@dataclass(frozen=True)
class Case:
    """An answer, and what the check of its task says of it.

    Attributes:
        number: the number of its assignment, e.g. `05`.
        check: the id of the check's cell, e.g. `grade-softmax`.
        answer: the answer in words.
        says: parts of the sentence with which the check fails; empty if it holds.
        notes: parts of the notes of a check that holds.
        code: the source of the task's cell; empty if there are edits.
        edits: what is edited in the solution's cell.
    """

    number: str
    check: str
    answer: str
    says: tuple[str, ...]
    notes: tuple[str, ...]
    code: str
    edits: tuple[Edit, ...]

    def __str__(self) -> str:
        return f"{self.number}, {self.check.removeprefix('grade-')}: {self.answer}"

    def cell(self, cells: Mapping[str, SourceCell]) -> str:
        """Return the answer's cell.

        Args:
            cells: id -> cell of the notebook's source.
        """
        if not self.edits:
            return self.code
        return edited(bare(cells[self.check.replace("grade-", "task-")].texts["en"]), self.edits)


def read_cases() -> list[Case]:
    """Return the cases of all assignments.

    Raises:
        CourseError: a file is malformed, or an answer occurs twice.
    """
    cases: dict[str, Case] = {}
    for path in sorted((ROOT / "solutions").glob("[0-9]*/tests/public_check_cases.py")):
        for cell in read_cells(path):
            case = _case(path.parents[1].name[:2], cell, cases)
            if str(case) in cases:
                raise CourseError(
                    f"Each answer of a check must have its own words. Received: {case} again at {cell.where}."
                )
            cases[str(case)] = case
    return list(cases.values())


def _case(number: str, cell: ScriptCell, earlier: Mapping[str, Case]) -> Case:
    """Read one case.

    Args:
        number: the number of its assignment, e.g. `05`.
        cell: the case's cell.
        earlier: the cases above it, by their text.

    Raises:
        CourseError: the cell is malformed, or `of` names no earlier answer whose cell is written out.
    """
    require_keys(cell, {"check", "answer"}, {"check", "answer", "right", "of"})
    words: dict[str, list[str]] = {SAYS: [], NOTES: []}
    count = 0
    for line in cell.lines:
        kind = next((kind for kind in words if line.startswith(kind)), None)
        if kind is None:
            break
        words[kind].append(line.removeprefix(kind).strip())
        count += 1
    if [bool(words[SAYS]), bool(words[NOTES]), "right" in cell.keys].count(True) != 1:
        raise CourseError(
            f"A case has lines `{SAYS}…`, or lines `{NOTES}…`, or `right=true` in its header. Received: none or several at {cell.where}."
        )
    rest = cell.lines[count:]
    holds_edits = bool(rest) and rest[0].startswith(("# -", "# +"))
    edits = read_edits(cell, rest) if holds_edits else ()
    code = "" if holds_edits else code_of(cell, rest)
    made = Case(number, cell.keys["check"], cell.keys["answer"], tuple(words[SAYS]), tuple(words[NOTES]), code, edits)
    if "of" not in cell.keys:
        return made
    base = earlier.get(str(replace(made, answer=cell.keys["of"])))
    if not (edits and base and base.code):
        raise CourseError(
            "`of` names an earlier answer to the same check whose cell is written out, and lines `# - …`, `# + …` edit it. "
            f"Received: {cell.keys['of']!r} at {cell.where}."
        )
    return replace(made, code=edited(base.code, edits), edits=())
