"""A submission in the shape of its assignment: the student's answers in the released notebook's structure.

`repair` makes it, so that deleted, edited, moved, renamed or doubled cells neither cost nor earn anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from nbformat import NotebookNode

from autograder.base.text import LANGUAGES, Text
from autograder.sources.notebooks import HANGUL, NOTEBOOK_KEY, NotebookSource, SourceCell
from autograder.submissions.notebook_file import new_cell, new_notebook


@dataclass
class Submission:
    """A submitted notebook in its assignment's shape.

    Attributes:
        source: the source of the assignment's notebook.
        language: language of the release that the student worked in, e.g. `en`.
        cells: released cells in order, the student's own after the one they followed.
        known: positions in `cells` of the released cells, by grade id.
        notes: sentences for the student about what was repaired.
        files: name -> content of plain files beside the notebook.
    """

    source: NotebookSource
    language: str
    cells: list[NotebookNode]
    known: dict[str, int]
    notes: list[Text] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def answer(self, grade_id: str) -> str:
        """Return the source of a released cell as submitted."""
        return str(self.cells[self.known[grade_id]].source)

    def notebook(self) -> NotebookNode:
        """Return the repaired notebook, with nbgrader's metadata."""
        metadata = {
            "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            NOTEBOOK_KEY: {
                "assignment": self.source.assignment,
                "notebook": self.source.name,
                "language": self.language,
            },
        }
        return new_notebook(self.cells, metadata)


def repair(notebook: NotebookNode, source: NotebookSource) -> Submission:
    """Lay a submitted notebook's answers into the structure of its release.

    A released cell is recognised by its grade id, else by its cell id, else (for an answer) by the names it defines.
    Of several copies the last counts. Locked cells get the released text; a missing answer stays empty.
    """
    language = _language(notebook, source)
    notes: list[Text] = []
    owner = _owners(notebook, source)
    last = {grade_id: index for index, grade_id in owner.items()}
    followers: dict[str, list[NotebookNode]] = {"": []}
    anchor = ""
    doubled: set[str] = set()
    for index, cell in enumerate(notebook.cells):
        grade_id = owner.get(index)
        if grade_id is not None and last[grade_id] == index:
            anchor = grade_id
            continue
        if grade_id is not None and source.known_cells[grade_id].role in ("locked", "grade"):
            continue
        if grade_id is not None and grade_id not in doubled:
            doubled.add(grade_id)
            notes.append(
                Text(
                    f"There are several copies of the cell `{grade_id}`: the last one counts.",
                    f"셀 `{grade_id}`이(가) 여러 개 있습니다. 마지막 것을 채점합니다.",
                )
            )
        followers.setdefault(anchor, []).append(_own_cell(cell))
    if not last:
        notes.append(
            Text(
                f"None of the cells of `{source.name}.ipynb` is in this file: is it the notebook of another assignment?",
                f"`{source.name}.ipynb`의 셀이 이 파일에 하나도 없습니다. 다른 과제의 노트북이 아닌가요?",
            )
        )
    cells = list(followers[""])
    known: dict[str, int] = {}
    for grade_id, released in source.known_cells.items():
        known[grade_id] = len(cells)
        if released.role in ("locked", "grade"):
            text = released.texts[language]
        else:
            text = notebook.cells[last[grade_id]].source if grade_id in last else ""
            if grade_id not in last and last:
                notes.append(Text(f"The cell `{grade_id}` is missing.", f"셀 `{grade_id}`이(가) 없습니다."))
        made = new_cell("code", text)
        made.id = grade_id
        made.metadata["nbgrader"] = released.nbgrader_metadata()
        cells.append(made)
        cells.extend(followers.get(grade_id, []))
    _give_ids(cells, source)
    return Submission(source, language, cells, known, notes)


def blank(source: NotebookSource) -> Submission:
    """Return the submission of a student whose file can't be read: every answer empty."""
    submission = repair(new_notebook([], {}), source)
    submission.notes.clear()
    return submission


def is_released(submission: Submission, cell: NotebookNode) -> bool:
    """Whether a free cell is still as it was released."""
    released: dict[str, SourceCell] = {c.id: c for c in submission.source.cells}
    return cell.id in released and released[cell.id].texts[submission.language].strip() == cell.source.strip()


def _owners(notebook: NotebookNode, source: NotebookSource) -> dict[int, str]:
    """Return position -> grade id of the submitted cells that are recognised."""
    owner: dict[int, str] = {}
    for index, cell in enumerate(notebook.cells):
        for claimed in cell.metadata.get("claimed", []):
            if claimed in source.known_cells:
                owner[index] = claimed
                break
    missing = set(source.defined_names) - set(owner.values())
    for index, cell in enumerate(notebook.cells):
        if index in owner or cell.cell_type != "code":
            continue
        for grade_id in [g for g in source.defined_names if g in missing]:
            names = source.defined_names[grade_id]
            if any(re.search(rf"^(def|class) {re.escape(name)}\b", cell.source, re.MULTILINE) for name in names):
                owner[index] = grade_id
                break
    return owner


def _own_cell(cell: NotebookNode) -> NotebookNode:
    """Return a copy of a cell that isn't graded, without its metadata."""
    made = new_cell(cell.cell_type, cell.source)
    made.metadata["claimed"] = cell.metadata.get("claimed", [])
    return made


def _give_ids(cells: list[NotebookNode], source: NotebookSource) -> None:
    """Give the cells that aren't graded their ids: the released one to its first holder, others counted in order."""
    unclaimed = {cell.id for cell in source.cells if not cell.is_known_to_nbgrader}
    fresh = (f"own-{number}" for number in count(1))
    for cell in cells:
        if cell.id not in source.known_cells:
            cell.id = next((i for i in cell.metadata.pop("claimed", []) if i in unclaimed), None) or next(fresh)
            unclaimed.discard(cell.id)


def _language(notebook: NotebookNode, source: NotebookSource) -> str:
    """Return the release's language from the notebook's metadata, else from its prose, else English."""
    told = notebook.metadata.get(NOTEBOOK_KEY)
    if isinstance(told, Mapping) and told.get("language") in LANGUAGES:
        return str(told["language"])
    prose = [c for c in notebook.cells if c.cell_type == "markdown"]
    korean = sum(bool(HANGUL.search(cell.source)) for cell in prose)
    return "ko" if prose and 2 * korean > len(prose) and not source.untranslated() else "en"
