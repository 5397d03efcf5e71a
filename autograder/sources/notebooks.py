"""Text sources of the notebooks, and the notebooks built from them.

A source is a jupytext percent script. Its cell headers say what a cell is for:

    # %% [markdown]                      prose; after a line `<!-- ko -->` the Korean version
    # %% locked="setup"                  code that students must not change
    # %% locked="checks" include="…"     the same, with the text of a file in `solutions/_shared`
    # %% task="softmax"                  the cell that the student fills (grade id `task-softmax`)
    # %% grade="softmax" points=3        public checks; carries the points (grade id `grade-softmax`)
    # %% carry_over=true                 earlier work, pasted by the student (grade id `carry-over`)
    # %%                                 free code

In code, a line `# ko: …` is the Korean twin of the line above it.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.errors import CourseError
from autograder.text import LANGUAGES

KO_PROSE = re.compile(r"^<!-- ko -->\s*$", re.MULTILINE)
KO_LINE = re.compile(r"^(\s*)# ko: ?(.*)$")
KO_LINE_ANYWHERE = re.compile(r"^[ \t]*# ko: .*$", re.MULTILINE)
HIDDEN_QUOTES = "\ue000"  # a private character, which no source holds
HANGUL = re.compile(r"[가-힣]")
NOTEBOOK_KEY = "transformer_course"
SHARED = "_shared"  # folder of `solutions` whose files several sources include


@dataclass(frozen=True)
class SourceCell:
    """One cell of a source.

    Attributes:
        role: `prose`, `free`, `locked`, `task`, `grade` or `carry-over`.
        id: stable cell id; for the last four roles also the nbgrader grade id.
        texts: language -> source.
        slug: the task of a `task` or `grade` cell.
        points: of a `grade` cell.
        folded: shown closed: the cell holds shared tools that students need not read.
    """

    role: str
    id: str
    texts: dict[str, str]
    slug: str = ""
    points: float = 0.0
    folded: bool = False

    @property
    def is_known_to_nbgrader(self) -> bool:
        """Whether the cell carries a grade id."""
        return self.role in ("locked", "task", "grade", "carry-over")

    def nbgrader_metadata(self) -> dict[str, object]:
        """Return the cell's `nbgrader` metadata (schema 3)."""
        metadata: dict[str, object] = {
            "grade": self.role == "grade",
            "grade_id": self.id,
            "locked": self.role in ("locked", "grade"),
            "schema_version": 3,
            "solution": self.role in ("task", "carry-over"),
            "task": False,
        }
        if self.role == "grade":
            metadata["points"] = self.points
        return metadata


@dataclass(frozen=True)
class NotebookSource:
    """The source of one assignment's notebook.

    Attributes:
        assignment: folder name, `02-attention`.
        name: notebook name without ending.
        cells: in order.
    """

    assignment: str
    name: str
    cells: tuple[SourceCell, ...]

    @cached_property
    def points(self) -> dict[str, float]:
        """Task slug -> points, in notebook order."""
        return {cell.slug: cell.points for cell in self.cells if cell.role == "grade"}

    @cached_property
    def known_cells(self) -> dict[str, SourceCell]:
        """Grade id -> cell, in notebook order."""
        return {cell.id: cell for cell in self.cells if cell.is_known_to_nbgrader}

    @cached_property
    def defined_names(self) -> dict[str, set[str]]:
        """Grade id of each cell that students fill -> names that its solution defines at top level."""
        return {
            cell.id: {
                node.name
                for node in ast.parse(cell.texts["en"]).body
                if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            }
            for cell in self.cells
            if cell.role in ("task", "carry-over")
        }

    def reference(self, task: str) -> str:
        """Return the solution's source of a task slug or of `carry-over`."""
        return self.known_cells[task if task == "carry-over" else f"task-{task}"].texts["en"]

    def untranslated(self) -> list[str]:
        """Return the ids of prose cells without Korean text."""
        return [c.id for c in self.cells if c.role == "prose" and not HANGUL.search(c.texts["ko"])]


def read_source(path: Path) -> NotebookSource:
    """Read and check a percent script `solutions/<assignment>/<notebook>.py`.

    Raises:
        CourseError: a header is wrong, an id occurs twice, or a task lacks its `task` or `grade` cell.
    """
    # a twin of a docstring's first line would look to jupytext like the docstring's end
    text = re.sub(
        KO_LINE_ANYWHERE, lambda line: line[0].replace('"""', HIDDEN_QUOTES), path.read_text(encoding="utf-8")
    )
    parsed = jupytext.reads(text, fmt="py:percent")
    counters: dict[str, int] = {}
    cells = [_source_cell(cell, path, counters) for cell in parsed.cells if cell.source.strip() or cell.metadata]
    ids = [cell.id for cell in cells]
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise CourseError(
            f"Each cell of a source must have its own name. Received: {path.name} with {repeated} more than once."
        )
    tasks = {cell.slug for cell in cells if cell.role == "task"}
    graded = {cell.slug for cell in cells if cell.role == "grade"}
    if tasks != graded:
        raise CourseError(
            f"Each task needs one task cell and one grade cell. Received: {path.name} with only one for {sorted(tasks ^ graded)}."
        )
    return NotebookSource(path.parent.name, path.stem, tuple(cells))


def render(source: NotebookSource, language: str) -> NotebookNode:
    """Return the instructor's notebook, solutions included, in `language`."""
    cells: list[NotebookNode] = []
    for cell in source.cells:
        text = cell.texts[language]
        made = new_markdown_cell(text) if cell.role == "prose" else new_code_cell(text)
        made.id = cell.id
        if cell.is_known_to_nbgrader:
            made.metadata["nbgrader"] = cell.nbgrader_metadata()
        if cell.folded:
            made.metadata["jupyter"] = {"source_hidden": True}  # JupyterLab, VS Code
            made.metadata["cellView"] = "form"  # Colab
        cells.append(made)
    metadata = {
        "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        NOTEBOOK_KEY: {"assignment": source.assignment, "notebook": source.name, "language": language},
    }
    return new_notebook(cells=cells, metadata=metadata)


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Write a notebook, replacing an older one in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    partial.replace(path)


def _source_cell(cell: NotebookNode, path: Path, counters: dict[str, int]) -> SourceCell:
    meta = cell.metadata
    unknown = set(meta) - {"task", "grade", "points", "locked", "include", "carry_over", "lines_to_next_cell"}
    if unknown:
        raise CourseError(
            f"A cell header may hold task, grade, points, locked, include, carry_over. Received: {sorted(unknown)} in {path}."
        )
    if cell.cell_type == "markdown":
        parts = KO_PROSE.split(cell.source)
        if len(parts) > 2:
            raise CourseError(
                f"A prose cell may hold one line `<!-- ko -->`. Received: {len(parts) - 1} in {path}: {parts[0][:60]!r}."
            )
        english, korean = parts[0].strip(), parts[-1].strip()
        return SourceCell("prose", _next_id(counters, "text"), {"en": english, "ko": korean})
    text = cell.source
    if "include" in meta:
        included = path.parent.parent / SHARED / str(meta["include"])
        if not included.is_file():
            raise CourseError(
                f"An included file must be in {included.parent}. Received: include={meta['include']!r} in {path}."
            )
        text = included.read_text(encoding="utf-8").rstrip("\n")
    texts = {language: _in_language(text, language, path) for language in LANGUAGES}
    if "task" in meta:
        return SourceCell("task", f"task-{meta['task']}", texts, slug=meta["task"])
    if "grade" in meta:
        points = meta.get("points")
        if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 < points < float("inf"):
            raise CourseError(f"A grade cell needs points=<number>. Received: {dict(meta)} in {path}.")
        return SourceCell("grade", f"grade-{meta['grade']}", texts, slug=meta["grade"], points=float(meta["points"]))
    if meta.get("carry_over"):
        return SourceCell("carry-over", "carry-over", texts)
    if "locked" in meta:
        return SourceCell("locked", str(meta["locked"]), texts, folded="include" in meta)
    return SourceCell("free", _next_id(counters, "code"), texts)


def _next_id(counters: dict[str, int], kind: str) -> str:
    counters[kind] = counters.get(kind, 0) + 1
    return f"{kind}-{counters[kind]:02d}"


def _in_language(code: str, language: str, path: Path) -> str:
    """Keep the lines of one language: a line `# ko: …` replaces, in Korean, the line above it."""
    lines: list[str] = []
    for line in code.split("\n"):
        match = KO_LINE.match(line)
        if match is None:
            lines.append(line)
        elif not lines:
            raise CourseError(f"A line `# ko:` must follow the line that it translates. Received: {line!r} in {path}.")
        elif language == "ko":
            lines[-1] = match[1] + match[2].replace(HIDDEN_QUOTES, '"""')
    return "\n".join(lines)
