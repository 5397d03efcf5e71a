"""Submitted files: read without trusting them, and put back into the shape of their assignment.

`take_in` does all of it. `read_submission` refuses what can't harmlessly be read; `repair` lays the student's answers into the
released notebook's structure, so that deleted, edited, moved, renamed or doubled cells neither cost nor earn anything.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any, cast

import nbformat
from nbformat import NotebookNode

from autograder.base.errors import AutograderError, MachineError, SubmissionError
from autograder.base.plain_files import open_plain_file
from autograder.base.text import LANGUAGES, Text
from autograder.sources.course import Course
from autograder.sources.notebooks import HANGUL, NOTEBOOK_KEY, NotebookSource, SourceCell
from autograder.submissions.belonging import other_assignment, wrong_assignment_sentence

ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MAX_CELLS = 2000
MAX_LISTED = 5
MAX_FILES = 1000  # beside the notebook: each is written again for every kernel
MAX_NAMES = 10_000  # that stand in quotes in the cells
MAX_CONTAINERS = 500_000  # lists and objects of a file: each becomes many times what it was in the file
QUOTED = re.compile(r"""([`'"])(?:\./)?([^`'"\n]{1,255})\1""")
ODD = re.compile(r"[^-\w.()+ ]")


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
        return _notebook(self.cells, metadata)


@dataclass(frozen=True)
class Intake:
    """What a student handed in, as far as it could be read.

    Attributes:
        submission: the repaired submission; every answer is empty where the notebook couldn't be read.
        refused: reason, for the student, why the submission is worth nothing; None if it isn't refused.
        belongs_to: the other assignment whose notebook was handed in by mistake; empty if there is none.
        unread: failure of the machine, for the instructor; empty if nothing failed.
    """

    submission: Submission
    refused: Text | None = None
    unread: str = ""
    belongs_to: str = ""


def take_in(expected: Path, course: Course, assignment: str) -> Intake:
    """Read a submission: the notebook, repaired, and the files beside it.

    Args:
        expected: path of the notebook; if there is none, the only other notebook of that folder is taken.
        course: the course, whose sources tell what belongs into the notebook.
        assignment: what it was handed in for.
    """
    source, limits = course.source(assignment), course.limits_of(assignment)
    submission = blank(source)
    other = ""
    try:
        notebook = read_submission(only_notebook(expected), limits.notebook_bytes)
        submission = repair(notebook, source)
        if other := other_assignment(notebook, course, assignment):
            submission.notes = [wrong_assignment_sentence(other, assignment)]
        named = named_files(source, submission.cells)
        submission.files, notes = read_files(expected.parent, limits.notebook_bytes, named, limits.disk_files)
        submission.notes += notes
    except SubmissionError as error:
        return Intake(submission, refused=error.text)
    except MachineError as error:
        submission.notes.clear()
        return Intake(submission, unread=str(error))
    return Intake(submission, belongs_to=other)


def is_notebook(name: str) -> bool:
    """Whether a file name ends as a notebook's does, written large or small: some systems write `.IPYNB`."""
    return name.lower().endswith(".ipynb")


def only_notebook(expected: Path) -> Path:
    """Return the expected notebook, or the only other one of its folder.

    Raises:
        SubmissionError: it is missing, and not exactly one other is there.
        MachineError: the folder can't be read.
    """
    try:
        if _is_there(expected):
            return expected
        names = os.listdir(expected.parent) if _is_there(expected.parent) else []
    except NotADirectoryError:
        names = []
    except OSError as error:
        raise _machine_error("The submission's folder", error) from error
    others = [expected.parent / name for name in names if is_notebook(name)]
    if len(others) == 1:
        return others[0]
    raise SubmissionError(
        Text(
            f"`{expected.name}` is missing from the submission"
            + (", and there are several other notebooks." if others else "."),
            f"제출물에 `{expected.name}`이(가) 없습니다" + (". 다른 노트북이 여러 개 있습니다." if others else "."),
        )
    )


def read_submission(path: Path, max_bytes: int) -> NotebookNode:
    """Read a submitted notebook.

    Raises:
        SubmissionError: it is missing, a link, a folder or a pipe, closed to its own owner, too large, or not a notebook
            of format 3 or 4.
        MachineError: it is a plain file, and reading it failed.
    """
    try:
        file = open_plain_file(path)
    except OSError as error:
        raise _unopened(path, error) from None
    try:
        with file:
            if os.fstat(file.fileno()).st_size > max_bytes:
                raise SubmissionError(
                    Text(
                        f"The notebook is larger than {max_bytes // 1_000_000} MB: clear its outputs and hand it in again.",
                        f"노트북이 {max_bytes // 1_000_000}MB보다 큽니다. 출력을 지우고 다시 제출하세요.",
                    )
                )
            content = file.read(max_bytes + 1)
    except OSError as error:
        raise _machine_error("The notebook", error) from error
    return parse_notebook(content)


def _is_there(path: Path) -> bool:
    """Whether there is something, be it a broken link; unlike `os.path.lexists` it takes no failure for an answer."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    return True


_NOT_PLAIN = Text("The notebook is not a plain file.", "노트북이 일반 파일이 아닙니다.")


def _unopened(path: Path, error: OSError) -> AutograderError:
    """Tell a submission that can't be read from a machine that can't read."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return SubmissionError(Text("The notebook is missing from the submission.", "제출물에 노트북이 없습니다."))
    except OSError as other:
        return _machine_error("The notebook", other)
    if stat.S_ISLNK(mode):
        return SubmissionError(
            Text(
                "The notebook is a link: hand in the file itself.",
                "노트북이 링크입니다. 파일 자체를 제출하세요.",
            )
        )
    if not stat.S_ISREG(mode):
        return SubmissionError(_NOT_PLAIN)
    if isinstance(error, PermissionError) and not mode & stat.S_IRUSR:
        return SubmissionError(
            Text(
                "The notebook's permissions let nobody read it: allow it (`chmod u+r`) and hand it in again.",
                "노트북에 읽기 권한이 없습니다. 권한을 주고(`chmod u+r`) 다시 제출하세요.",
            )
        )
    return _machine_error("The notebook", error)


def _machine_error(what: str, error: OSError) -> MachineError:
    return MachineError(f"{what} could not be read where it is graded: {error.strerror or error}.")


def parse_notebook(content: bytes) -> NotebookNode:
    """Parse notebook bytes, as leniently as is harmless: only cells' types, sources, ids and metadata are kept.

    Raises:
        SubmissionError: the bytes are not a notebook of format 3 or 4.
    """
    try:
        if content.count(b"[") + content.count(b"{") > MAX_CONTAINERS:
            raise ValueError("too many lists")
        data = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise SubmissionError(
            Text(
                "The file is not a readable notebook (damaged or cut off): download it again from Jupyter and hand it in.",
                "파일을 노트북으로 읽을 수 없습니다(손상되었거나 잘렸습니다). Jupyter에서 다시 내려받아 제출하세요.",
            )
        ) from None
    version = data.get("nbformat") if isinstance(data, dict) else None
    if version == 3:
        try:
            data = nbformat.convert(nbformat.from_dict(data), 4)
        except Exception:  # noqa: BLE001  (nbformat raises whatever the damaged parts make it raise)
            version = None
    if version not in (3, 4) or not isinstance(data.get("cells"), list):
        raise SubmissionError(
            Text("The file is not a Jupyter notebook of format 4.", "파일이 Jupyter 노트북 형식 4가 아닙니다.")
        )
    if len(data["cells"]) > MAX_CELLS:
        raise SubmissionError(
            Text(
                f"The notebook has {len(data['cells'])} cells, of at most {MAX_CELLS}: delete your own that no task needs and "
                "hand it in again.",
                f"노트북의 셀이 {len(data['cells'])}개로, 최대 {MAX_CELLS}개를 넘습니다. 과제에 필요 없는 셀을 지우고 다시 제출하세요.",
            )
        )
    cells = [cell for raw in data["cells"] if (cell := _plain_cell(raw)) is not None]
    for number, cell in enumerate(cells, 1):
        cell.id = f"submitted-{number}"  # nbconvert would warn of every cell without an id of its own
    metadata = data.get("metadata")
    told = metadata.get(NOTEBOOK_KEY) if isinstance(metadata, Mapping) else None
    language = told.get("language") if isinstance(told, Mapping) else None
    return _notebook(cells, {NOTEBOOK_KEY: {"language": language if language in LANGUAGES else None}})


def read_files(
    folder: Path, max_bytes: int, named: Sequence[Collection[str]] = (), disk_files: int = 2 * MAX_FILES
) -> tuple[dict[str, bytes], list[Text]]:
    """Read the plain files beside a notebook, as long as they are few and fit in `max_bytes`; links are left out.

    Args:
        folder: the submission's folder.
        max_bytes: how large all files may be together.
        named: groups of file names from `named_files`: files of the first group are taken first, then the second group's, then the rest.
        disk_files: how many files the kernel's folder may hold; half of that is left to the notebook itself.

    Returns:
        Name -> content, and notes for the student on what was left out.

    Raises:
        MachineError: reading failed.
    """
    files: dict[str, bytes] = {}
    dropped: list[tuple[str, int]] = []
    closed: list[str] = []
    left = max_bytes
    max_files = min(MAX_FILES, max(1, disk_files // 2))
    try:
        for path in sorted(_plain_files(folder), key=lambda path: (_rank(path.name, named), path.name)):
            size = path.lstat().st_size
            if size > left or len(files) == max_files:
                dropped.append((path.name, size))
                continue
            try:
                files[path.name] = path.read_bytes()
                left -= size
            except PermissionError:
                closed.append(path.name)
    except OSError as error:
        raise _machine_error("A file beside the notebook", error) from error
    return files, _notes_on_files(dropped, closed, max_bytes, max_files, is_full=len(files) == max_files)


def named_files(source: NotebookSource, cells: Iterable[NotebookNode]) -> tuple[set[str], set[str]]:
    """Return the names that stand in quotes in an assignment's release, and those in the cells of a submission."""
    released = "\n".join(cell.texts["en"] for cell in source.cells)
    own = "\n".join(cell.source for cell in cells)
    return {match[2] for match in QUOTED.finditer(released)}, {
        match[2] for match in islice(QUOTED.finditer(own), MAX_NAMES)
    }


def _plain_files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        plain = [Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False)]
    return [path for path in plain if not is_notebook(path.name) and not path.name.endswith(".partial")]


def _rank(name: str, named: Sequence[Collection[str]]) -> int:
    return next((index for index, names in enumerate(named) if name in names), len(named))


def _notes_on_files(
    dropped: Sequence[tuple[str, int]], closed: Sequence[str], max_bytes: int, max_files: int, *, is_full: bool
) -> list[Text]:
    notes = []
    if dropped:
        en, ko = _listed([(name, f"{size / 1e6:.1f} MB") for name, size in dropped])
        limit = f"{max_bytes / 1e6:g}"
        few = Text(f" and {max_files} at most", f", {max_files}개") if is_full else Text("", "")
        notes.append(
            Text(
                f"Left out: {en}. The files beside the notebook may be {limit} MB in all{few.en}: hand in only those that it reads.",
                f"제외한 파일: {ko}. 노트북 옆의 파일은 모두 합해 {limit} MB{few.ko}까지입니다. 노트북이 읽는 파일만 제출하세요.",
            )
        )
    if closed:
        en, ko = _listed([(name, "") for name in closed])
        notes.append(Text(f"Left out, for it may not be read: {en}.", f"읽을 권한이 없어 제외한 파일: {ko}."))
    return notes


def _listed(files: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return a list of file names, harmless in Markdown whatever they are, in English and in Korean."""
    told = [f"`{ODD.sub('?', name[:80])}`" + (f" ({size})" if size else "") for name, size in files[:MAX_LISTED]]
    text, more = ", ".join(told), len(files) - MAX_LISTED
    return (f"{text} and {more} more", f"{text} 외 {more}개") if more > 0 else (text, text)


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
        made = _cell("code", text)
        made.id = grade_id
        made.metadata["nbgrader"] = released.nbgrader_metadata()
        cells.append(made)
        cells.extend(followers.get(grade_id, []))
    _give_ids(cells, source)
    return Submission(source, language, cells, known, notes)


def blank(source: NotebookSource) -> Submission:
    """Return the submission of a student whose file can't be read: every answer empty."""
    submission = repair(_notebook([], {}), source)
    submission.notes.clear()
    return submission


def _plain_cell(raw: Any) -> NotebookNode | None:
    if not isinstance(raw, Mapping):
        return None
    text = raw.get("source", "")
    if isinstance(text, list):
        text = "".join(part for part in text if isinstance(part, str))
    if not isinstance(text, str):
        text = ""
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate can't be written again
    cell = _cell("markdown" if raw.get("cell_type") in ("markdown", "raw", "heading") else "code", text)
    metadata = raw.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, Mapping) else None
    cell.metadata["claimed"] = [str(i) for i in (grade_id, raw.get("id")) if isinstance(i, str) and ID.fullmatch(i)]
    return cell


# nbformat's own constructors validate what they make, which would cost more than all the rest; whoever writes the
# notebook validates it.
def _notebook(cells: list[NotebookNode], metadata: Mapping[str, Any]) -> NotebookNode:
    raw = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    return cast(NotebookNode, nbformat.from_dict(raw))


def _cell(kind: str, source: str) -> NotebookNode:
    content = {"id": "", "cell_type": kind, "metadata": NotebookNode(), "source": source}
    if kind == "code":
        content |= {"execution_count": None, "outputs": []}
    return NotebookNode(content)


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
    made = _cell(cell.cell_type, cell.source)
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


def is_released(submission: Submission, cell: NotebookNode) -> bool:
    """Whether a free cell is still as it was released."""
    released: dict[str, SourceCell] = {c.id: c for c in submission.source.cells}
    return cell.id in released and released[cell.id].texts[submission.language].strip() == cell.source.strip()
