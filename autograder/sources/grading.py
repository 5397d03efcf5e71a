"""A grading as a value: all that a verdict depends on but the submission, so that any process can grade by it."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.base.errors import MachineError
from autograder.sources.notebooks import NotebookSource

if TYPE_CHECKING:
    from autograder.sources.course import Limits


@dataclass(frozen=True)
class Grading:
    """How one student's submission is graded; `Course.grading_of` makes it.

    What compares equal gives the same verdict on the same submission. It holds the graders and the term's secret: processes
    of ours may have it, never a student's kernel.

    Attributes:
        source: of the assignment's notebook, read from `files`.
        files: (name, content) of all that grading the assignment reads, names below the folder of all assignments.
        student: whose submission it is.
        limits: of the assignment.
        backend: Keras backend of the student's kernels.
        seed: what the graders' random inputs depend on.
        is_secret: whether the seed is the term's secret, to which the student and all that was handed in are added; else it
            is taken as it is, for code that isn't a student's.
        shows: which pictures and public checks are executed, see `Course.shows`.
        tasks: slugs of the only tasks to grade; None means all.
        accepted: guarantees of the seal that grading knowingly does without.
        hidden: folders of this machine that no kernel may see.
    """

    source: NotebookSource = field(compare=False, repr=False)
    files: tuple[tuple[str, bytes], ...] = field(repr=False)
    student: str
    limits: Limits
    backend: str
    seed: str = field(repr=False)
    is_secret: bool = True
    shows: str = "lost"
    tasks: tuple[str, ...] | None = None
    accepted: tuple[str, ...] = ()
    hidden: tuple[str, ...] = field(default=(), compare=False)

    @property
    def assignment(self) -> str:
        """Which assignment."""
        return self.source.assignment

    def placed(self) -> Grading:
        """Return the same grading with its files in a folder of this process's own, which no kernel may see.

        Whatever becomes of the course's folder meanwhile, what is graded by is what this value holds.

        Raises:
            MachineError: the files couldn't be written.
        """
        try:
            root = _written(self.files)
        except OSError as error:
            raise MachineError(f"The course's files could not be written for grading: {error}") from error
        source = _sources.setdefault(root, replace(self.source, folder=root / self.assignment))
        return replace(self, source=source, hidden=(*self.hidden, str(root.parent)))


_sources: dict[Path, NotebookSource] = {}


def _written(files: tuple[tuple[str, bytes], ...]) -> Path:
    """Return a folder that holds the files, the same for the same ones."""
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(hashlib.sha256(name.encode()).digest() + hashlib.sha256(content).digest())
    root = Path(_own_folder().name, digest.hexdigest())
    if not root.exists():
        unfinished = Path(tempfile.mkdtemp(dir=_own_folder().name))
        for name, content in files:
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        unfinished.rename(root)
    return root


@cache
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="ag-sources-", ignore_cleanup_errors=True)
