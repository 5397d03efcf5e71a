"""Text sources of the notebooks, and the notebooks built from them.

A source is a jupytext percent script, `solutions/<assignment>/notebook.py`. Its cell headers say what a cell is for:

    # %% [markdown]                      prose; after a line `<!-- ko -->` the Korean version
    # %% [markdown] notebook="masks"     the first cell, if the notebook isn't called as its folder is
    # %% locked="setup"                  code that students must not change
    # %% locked="checks" include="…"     the same; it begins with the text of a file in `solutions/_shared/cells`
    # %% task="softmax"                  the cell that the student fills (grade id `task-softmax`)
    # %% task="…" builds_on="softmax"    the same; its answer may call those of these earlier tasks, or `carry-over`
    # %% task="…" costly="a-line"        the same; grading takes minutes, and that rubric line judges the carried-over work
    # %% task="…" from_scratch=true      the same; its code may not use what `FORBIDDEN` of its graders names
    # %% grade="softmax" points=3        public checks; carries the points (grade id `grade-softmax`)
    # %% carry_over=true                 earlier work, pasted by the student (grade id `carry-over`)
    # %%                                 free code
    # %% folded=true                     the same, shown closed

In code, a line `# ko: …` is the Korean twin of the line above it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.base.errors import CourseError
from autograder.base.imports import as_if_not_installed
from autograder.base.text import LANGUAGES
from autograder.sources.code_cells import KO_LINE, require_code
from autograder.sources.pictures import with_pictures
from autograder.sources.rubric_table import RUBRIC_NAME, RubricLine, read_rubric

# Jupytext imports it for an extension of its own, which takes longer than all the rest of Jupytext
with as_if_not_installed("jupyter_server"):
    import jupytext

KO_PROSE = re.compile(r"^<!-- ko -->\s*$", re.MULTILINE)
KO_LINE_ANYWHERE = re.compile(r"^[ \t]*# ko: .*$", re.MULTILINE)
HIDDEN_QUOTES = "\ue000"  # a private character, which no source holds
HANGUL = re.compile(r"[가-힣]")
NOTEBOOK_KEY = "autograder"
SOLUTION_REGION = re.compile(r"^\s*### BEGIN SOLUTION.*?^\s*### END SOLUTION[^\n]*$", re.MULTILINE | re.DOTALL)
STUB_LINE = re.compile(r"^\s*(# YOUR CODE HERE|raise NotImplementedError\(\))\s*$", re.MULTILINE)
SHARED = "_shared"  # folder of `solutions` with what several assignments use
NOTEBOOK_NAME = re.compile(r"""# %%.* notebook=["'](\w+)["']""")
TASK_KEYS = {"builds_on", "costly", "from_scratch"}  # of the header of a task's cell
HEADER_KEYS = [
    "task",
    "builds_on",
    "costly",
    "from_scratch",
    "grade",
    "points",
    "locked",
    "include",
    "carry_over",
    "folded",
]
COURSE_SUFFIXES = (".py", ".md", ".json")
OF_NO_VERDICT = {"tests", "__pycache__"}  # folders of an assignment
SHARED_CELLS = "cells"  # folder of these with the texts of cells that several sources include


@dataclass(frozen=True)
class SourceCell:
    """One cell of a source.

    Attributes:
        role: `prose`, `free`, `locked`, `task`, `grade` or `carry-over`.
        id: stable cell id; for the last four roles also the nbgrader grade id.
        texts: language -> source.
        slug: the task of a `task` or `grade` cell.
        points: points of the task, in its `grade` cell.
        folded: whether the cell is shown closed: it holds shared tools that students need not read, or would give an answer away.
        builds_on: of a `task` cell: slugs of earlier tasks, or `carry-over`, whose functions its answer may call.
        costly: of a `task` cell whose grading takes minutes: id of the rubric line that judges the carried-over work; else empty.
        from_scratch: of a `task` cell: whether its code may not use what `FORBIDDEN` of its graders names.
    """

    role: str
    id: str
    texts: dict[str, str]
    slug: str = ""
    points: float = 0.0
    folded: bool = False
    builds_on: tuple[str, ...] = ()
    costly: str = ""
    from_scratch: bool = False

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
        name: the notebook's file name without its ending.
        cells: the cells, in the order of the notebook.
        folder: folder of the assignment's source, graders, reference, mistakes and alternatives.
    """

    assignment: str
    name: str
    cells: tuple[SourceCell, ...]
    folder: Path

    @cached_property
    def points(self) -> dict[str, float]:
        """Task slug -> points, in notebook order."""
        return {cell.slug: cell.points for cell in self.cells if cell.role == "grade"}

    @cached_property
    def rubric(self) -> dict[str, RubricLine]:
        """Line id -> rubric line, in the order in which the graders ask, read from the assignment's `rubric.md`.

        Raises:
            CourseError: the file is missing or malformed.
        """
        return read_rubric(self.folder / RUBRIC_NAME, self.points)

    @cached_property
    def builds_on(self) -> dict[str, tuple[str, ...]]:
        """Task slug -> earlier tasks (or `carry-over`) whose functions its answer may call."""
        return {cell.slug: cell.builds_on for cell in self.cells if cell.role == "task"}

    @cached_property
    def costly(self) -> dict[str, str]:
        """Task slug -> line that judges the carried-over work, for tasks whose grading takes minutes: trainings."""
        return {cell.slug: cell.costly for cell in self.cells if cell.costly}

    @cached_property
    def from_scratch(self) -> tuple[str, ...]:
        """Slugs of the tasks whose code may not use what `FORBIDDEN` of their graders names."""
        return tuple(cell.slug for cell in self.cells if cell.from_scratch)

    def predecessors(self, slug: str) -> set[str]:
        """Return everything that a task's answer may call, directly or not: task slugs and `carry-over`."""
        found: set[str] = set()
        queue = list(self.builds_on.get(slug, ()))
        while queue:
            before = queue.pop()
            if before not in found:
                found.add(before)
                queue.extend(self.builds_on.get(before, ()))
        return found

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

    def defines_functions_only(self, grade_id: str) -> bool:
        """Whether the solution of a cell that students fill defines functions, and no class."""
        tree = ast.parse(self.known_cells[grade_id].texts["en"])
        return not any(isinstance(node, ast.ClassDef) for node in ast.walk(tree))

    def reference(self, task: str) -> str:
        """Return the solution's source of a task slug or of `carry-over`."""
        return self.known_cells[task if task == "carry-over" else f"task-{task}"].texts["en"]

    def is_untouched(self, grade_id: str, answer: str, language: str) -> bool:
        """Whether an answer is what the release holds: the solution's lines outside of its regions, and stubs in these."""
        outside = SOLUTION_REGION.sub("", self.known_cells[grade_id].texts[language])
        return STUB_LINE.sub("", answer).split() == outside.split()

    def untranslated(self) -> list[str]:
        """Return the ids of prose cells without Korean text."""
        return [c.id for c in self.cells if c.role == "prose" and not HANGUL.search(c.texts["ko"])]


def course_files(folder: Path) -> list[Path]:
    """Return the files that grading an assignment depends on: those of its folder without its `tests`, and those that assignments share.

    Args:
        folder: the assignment's folder, e.g. `solutions/01-first-steps`.
    """
    folders = (folder, folder.parent / SHARED)
    found = [path for each in folders for path in each.rglob("*") if path.is_file()]
    return sorted(
        p for p in found if p.suffix in COURSE_SUFFIXES and not OF_NO_VERDICT & set(p.relative_to(folder.parent).parts)
    )


def notebook_name(path: Path) -> str:
    """Return what a source calls its notebook, without the ending: as its first line says, or else as its folder is called."""
    with open(path, encoding="utf-8") as file:
        named = NOTEBOOK_NAME.match(file.readline())
    return named[1] if named else re.sub(r"\W", "_", path.parent.name.lstrip("0123456789-"))


def read_source(path: Path) -> NotebookSource:
    """Read and check a percent script `solutions/<assignment>/notebook.py`.

    Raises:
        CourseError: a cell's code or header is wrong, an id occurs twice, a task lacks its `task` or `grade` cell, or it builds on one that
            isn't above it.
    """
    text = path.read_text(encoding="utf-8")
    require_code(text, path)
    # a twin of a docstring's first line would look to jupytext like the docstring's end
    text = re.sub(KO_LINE_ANYWHERE, lambda line: line[0].replace('"""', HIDDEN_QUOTES), text)
    parsed = _cells_of(text)
    counters: dict[str, int] = {}
    for cell in parsed[1:]:
        if "notebook" in cell.metadata:
            raise CourseError(
                f"Only the first cell of a source may name the notebook. Received: another one in {path}."
            )
    cells = [_source_cell(cell, path, counters) for cell in parsed if cell.source.strip() or cell.metadata]
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
    _check_builds_on(cells, path)
    return NotebookSource(path.parent.name, notebook_name(path), tuple(cells), path.parent)


# a process reads a source for its cells, for what the mistakes edit, and for the digest of the recorded answers
@lru_cache(maxsize=32)
def _cells_of(text: str) -> tuple[NotebookNode, ...]:
    return tuple(jupytext.reads(text, fmt="py:percent").cells)


def render(source: NotebookSource, language: str) -> NotebookNode:
    """Return the instructor's notebook, solutions included, in `language`."""
    cells: list[NotebookNode] = []
    for cell in source.cells:
        text = cell.texts[language]
        is_prose = cell.role == "prose"
        rendered = new_markdown_cell(with_pictures(text, source.folder, language)) if is_prose else new_code_cell(text)
        rendered.id = cell.id
        if cell.is_known_to_nbgrader:
            rendered.metadata["nbgrader"] = cell.nbgrader_metadata()
        if cell.folded:
            rendered.metadata["jupyter"] = {"source_hidden": True}  # JupyterLab, VS Code
            rendered.metadata["cellView"] = "form"  # Colab
        cells.append(rendered)
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
    unknown = sorted(set(meta) - {*HEADER_KEYS, "notebook", "lines_to_next_cell"})
    if unknown:
        raise CourseError(f"A cell header may hold {', '.join(HEADER_KEYS)}. Received: {unknown} in {path}.")
    about_task = sorted(TASK_KEYS & set(meta))
    if about_task and "task" not in meta:
        raise CourseError(
            f"Only the header of a task's cell may hold builds_on, costly, from_scratch. Received: {about_task} in another "
            f"cell of {path}. Move them to the cell with `task=`."
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
        included = path.parent.parent / SHARED / SHARED_CELLS / str(meta["include"])
        if not included.is_file():
            raise CourseError(
                f"An included file must be in {included.parent}. Received: include={meta['include']!r} in {path}."
            )
        shared = included.read_text(encoding="utf-8")
        require_code(shared, included)
        text = f"{shared.rstrip()}\n\n{cell.source}".rstrip()
    texts = {language: _in_language(text, language, path) for language in LANGUAGES}
    if "task" in meta:
        return _task_cell(meta, texts, path)
    if "grade" in meta:
        points = meta.get("points")
        if isinstance(points, bool) or not isinstance(points, (int, float)) or not 0 < points < float("inf"):
            raise CourseError(f"A grade cell needs points=<number>. Received: {dict(meta)} in {path}.")
        slug = meta["grade"]
        return SourceCell("grade", f"grade-{slug}", texts, slug=slug, points=float(meta["points"]), folded=True)
    if meta.get("carry_over"):
        return SourceCell("carry-over", "carry-over", texts)
    if "locked" in meta:
        folded = bool(meta.get("folded")) or ("include" in meta and not cell.source)
        return SourceCell("locked", str(meta["locked"]), texts, folded=folded)
    return SourceCell("free", _next_id(counters, "code"), texts, folded=bool(meta.get("folded")))


def _task_cell(meta: Mapping[str, Any], texts: dict[str, str], path: Path) -> SourceCell:
    """Return a task's cell with what its header says of the task."""
    slug, builds_on, costly = meta["task"], meta.get("builds_on", ""), meta.get("costly", "")
    if not isinstance(builds_on, str) or not isinstance(costly, str) or len(costly.split()) > 1:
        raise CourseError(
            'builds_on="…" must name tasks with spaces between them, costly="…" one rubric line. '
            f"Received: {dict(meta)} in {path}. Put the names in quotes."
        )
    from_scratch = meta.get("from_scratch", False)
    if not isinstance(from_scratch, bool):
        raise CourseError(
            f"from_scratch must be true or be left out. Received: from_scratch={from_scratch!r} of task {slug!r} in {path}. "
            "Write it without quotes."
        )
    return SourceCell(
        "task",
        f"task-{slug}",
        texts,
        slug=slug,
        builds_on=tuple(builds_on.split()),
        costly=costly.strip(),
        from_scratch=from_scratch,
    )


def _check_builds_on(cells: Iterable[SourceCell], path: Path) -> None:
    """Refuse a task that builds on something that is no task above it."""
    earlier: list[str] = []
    for cell in cells:
        if cell.role == "task":
            unknown = [slug for slug in cell.builds_on if slug not in earlier]
            if unknown:
                raise CourseError(
                    f"builds_on must name tasks above it in the notebook, or carry-over: {', '.join(earlier) or 'none'}. "
                    f"Received: {', '.join(unknown)} of task {cell.slug!r} in {path}. Correct the name, or move the cell."
                )
            earlier.append(cell.slug)
        elif cell.role == "carry-over":
            earlier.append("carry-over")


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
