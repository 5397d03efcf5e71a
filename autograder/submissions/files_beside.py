"""The files that were handed in beside a notebook."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from pathlib import Path

from nbformat import NotebookNode

from autograder.base.text import Text
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.notebook_file import is_notebook, unreadable

MAX_LISTED = 5
MAX_FILES = 1000  # beside the notebook: each is written again for every kernel
MAX_NAMES = 10_000  # that stand in quotes in the cells
QUOTED = re.compile(r"""([`'"])(?:\./)?([^`'"\n]{1,255})\1""")
ODD = re.compile(r"[^-\w.()+ ]")


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
        raise unreadable("A file beside the notebook", error) from error
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
