"""A submitted notebook's file, read without trusting it."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import nbformat
from nbformat import NotebookNode

from autograder.base.errors import AutograderError, MachineError, SubmissionError
from autograder.base.plain_files import open_plain_file
from autograder.base.text import LANGUAGES, Text
from autograder.sources.notebooks import NOTEBOOK_KEY

ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MAX_CELLS = 2000
MAX_CONTAINERS = 500_000  # lists and objects of a file: each becomes many times what it was in the file
_NOT_PLAIN = Text("The notebook is not a plain file.", "노트북이 일반 파일이 아닙니다.")


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
        raise unreadable("The submission's folder", error) from error
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
        raise unreadable("The notebook", error) from error
    return parse_notebook(content)


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
    return new_notebook(cells, {NOTEBOOK_KEY: {"language": language if language in LANGUAGES else None}})


# nbformat's own constructors validate what they make, which would cost more than all the rest; whoever writes the
# notebook validates it.
def new_notebook(cells: list[NotebookNode], metadata: Mapping[str, Any]) -> NotebookNode:
    """Return a notebook of some cells."""
    raw = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    return cast(NotebookNode, nbformat.from_dict(raw))


def new_cell(kind: str, source: str) -> NotebookNode:
    """Return a cell without an id, of kind `code` or `markdown`."""
    content = {"id": "", "cell_type": kind, "metadata": NotebookNode(), "source": source}
    if kind == "code":
        content |= {"execution_count": None, "outputs": []}
    return NotebookNode(content)


def unreadable(what: str, error: OSError) -> MachineError:
    """Return the error that something handed in couldn't be read where it is graded.

    Args:
        what: what couldn't be read, as the beginning of a sentence.
        error: why.
    """
    return MachineError(f"{what} could not be read where it is graded: {error.strerror or error}.")


def _plain_cell(raw: Any) -> NotebookNode | None:
    if not isinstance(raw, Mapping):
        return None
    text = raw.get("source", "")
    if isinstance(text, list):
        text = "".join(part for part in text if isinstance(part, str))
    if not isinstance(text, str):
        text = ""
    text = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate can't be written again
    cell = new_cell("markdown" if raw.get("cell_type") in ("markdown", "raw", "heading") else "code", text)
    metadata = raw.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, Mapping) else None
    cell.metadata["claimed"] = [str(i) for i in (grade_id, raw.get("id")) if isinstance(i, str) and ID.fullmatch(i)]
    return cell


def _is_there(path: Path) -> bool:
    """Whether there is something, be it a broken link; unlike `os.path.lexists` it takes no failure for an answer."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    return True


def _unopened(path: Path, error: OSError) -> AutograderError:
    """Tell a submission that can't be read from a machine that can't read."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return SubmissionError(Text("The notebook is missing from the submission.", "제출물에 노트북이 없습니다."))
    except OSError as other:
        return unreadable("The notebook", other)
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
    return unreadable("The notebook", error)
