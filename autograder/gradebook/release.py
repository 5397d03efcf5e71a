"""Build the course: text sources -> staged notebooks -> student releases, and the assignments in the gradebook."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from nbgrader.converters import GenerateAssignment, NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.base.errors import CourseError
from autograder.gradebook.configuration import nbgrader_configuration, staging_folder
from autograder.gradebook.logs import captured_errors
from autograder.grading.runner import mistakes_of, require_tests
from autograder.sources.course import Course
from autograder.sources.links import with_links
from autograder.sources.notebooks import HANGUL, NotebookSource, render, write_notebook
from autograder.sources.rubric_table import RUBRIC_NAME
from autograder.sources.translations import RECORD, check_translation, record_translation


def build(
    course: Course,
    assignments: Sequence[str] = (),
    tell: Callable[[str], None] = lambda line: None,
    *,
    accept_translation: bool = False,
) -> list[Path]:
    """Build assignments (default: all) and register them in the gradebook.

    The result depends on the sources alone: building again writes the same bytes.

    Args:
        course: what to build of.
        assignments: ids of the assignments to build.
        tell: called with a line about each release.
        accept_translation: whether Korean whose English has changed is taken unchanged.

    Returns:
        Paths of the released notebooks.

    Raises:
        CourseError: a source is wrong, a translation is missing or out of date, a rubric doesn't add up, or nbgrader refuses.
    """
    sources = [course.source(name) for name in (assignments or course.source_paths)]
    for source in sources:
        check_source(course, source, accept_translation=accept_translation)
    released: list[Path] = []
    for source in sources:
        for path in _release(course, source):
            released.append(path)
            tell(f"built {path.relative_to(course.root)}")
        if _is_bilingual(course, source):
            record_translation(source, course.root / "solutions" / RECORD)
    return released


def _release(course: Course, source: NotebookSource) -> list[Path]:
    """Build an assignment aside in all languages; only then does it take the place of what was staged and released before."""
    assignment, file = source.assignment, f"{source.name}.ipynb"
    course.staging.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=course.staging, prefix="release-") as name:
        staged, released = Path(name, "staging"), Path(name, "release")
        for language in course.languages:
            notebook = with_links(render(source, language), course.published_at, language, f"{assignment}/{file}")
            write_notebook(notebook, staged / language / assignment / file)
            _generate(course, assignment, language, staged / language, released / language)
        releases = {language: course.root / "assignments" / language / assignment for language in course.languages}
        for language, folder in releases.items():
            _replace(staging_folder(course, language) / assignment, staged / language / assignment)
            _replace(folder, released / language / assignment)
    return [folder / file for folder in releases.values()]


def _replace(folder: Path, new: Path) -> None:
    """Put a new folder, with all that it holds, in the place of one that may be missing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    new.rename(folder)


def _is_bilingual(course: Course, source: NotebookSource) -> bool:
    """Return whether an assignment must be complete in Korean too."""
    return "ko" in course.languages and source.assignment not in course.english_only


def check_source(course: Course, source: NotebookSource, *, accept_translation: bool = False) -> None:
    """Hold a source against its rubric, its graders and its translation.

    Args:
        course: the course, whose languages the source must be complete in.
        source: the source of the notebook that is to be built.
        accept_translation: whether Korean whose English has changed is taken unchanged.

    Raises:
        CourseError: they don't fit.
    """
    if _is_bilingual(course, source):
        _check_korean(source, course.root / "solutions" / RECORD, accept=accept_translation)
    _check_rubric(source)
    _check_cells(source)


def _check_korean(source: NotebookSource, record: Path, *, accept: bool) -> None:
    check_translation(source, record, accept=accept)
    english = [identity for identity, line in source.rubric.items() if not line.title.ko]
    if english:
        raise CourseError(
            f"Every line of a rubric needs its Korean, which students read. Received: none for {', '.join(english)} in "
            f"{source.folder / RUBRIC_NAME}. Fill the fourth cell of the row."
        )
    hints = [identity for identity, mistake in mistakes_of(source.folder).items() if not mistake.hint.ko]
    if hints:
        raise CourseError(
            f"Every hint of a known mistake needs its Korean, which students read. Received: none for {', '.join(hints)} in "
            f"{source.folder / 'mistakes.py'}. Write it below the English, `# ko: …`."
        )


def _check_rubric(source: NotebookSource) -> None:
    totals = dict.fromkeys(source.points, 0.0)
    for line in source.rubric.values():
        totals[line.task] += line.points
    wrong = [
        f"{slug} with lines of {total:g} and a cell of {source.points[slug]:g}"
        for slug, total in totals.items()
        if total != source.points[slug]
    ]
    if wrong:
        raise CourseError(
            f"A task's rubric lines must add up to its points. Received: {', '.join(wrong)} points in {source.assignment}. "
            f"Change `points=` of the cell, or the lines in {source.folder / RUBRIC_NAME}."
        )
    require_tests(source)
    for slug, identity in source.costly.items():
        if identity not in source.rubric or source.rubric[identity].task != slug:
            raise CourseError(
                f"costly must name a rubric line of its own task. Received: {identity!r} of task {slug!r} in "
                f"{source.assignment}. Name a line of {source.folder / RUBRIC_NAME}."
            )


def _check_cells(source: NotebookSource) -> None:
    without = [
        cell.id
        for cell in source.cells
        if cell.role in ("task", "carry-over") and "### BEGIN SOLUTION" not in cell.texts["en"]
    ]
    if without:
        raise CourseError(
            f"A cell that students fill needs a region `### BEGIN SOLUTION`. Received: none in {without} of {source.assignment}."
        )
    for cell in source.cells:
        if cell.role not in ("task", "carry-over") and re.search(r"(BEGIN|END) (SOLUTION|HIDDEN)", cell.texts["en"]):
            raise CourseError(
                f"Only cells that students fill may hold solution regions. Received: {cell.id} of {source.assignment}."
            )
        if HANGUL.search(cell.texts["en"]) and cell.role == "prose" and len(HANGUL.findall(cell.texts["en"])) > 200:
            raise CourseError(
                f"The English text comes before `<!-- ko -->`. Received: Korean in {cell.id} of {source.assignment}."
            )


def _generate(course: Course, assignment: str, language: str, staged: Path, released: Path) -> None:
    """Run nbgrader's own release step; the first language also registers the assignment.

    Args:
        course: the course.
        assignment: id of the assignment.
        language: the language of the notebook.
        staged: folder in the course, in which `<assignment>` holds the instructor's notebook.
        released: folder in the course that gets the students' notebook in `<assignment>`.
    """
    config: Config = nbgrader_configuration(course)
    config.CourseDirectory.source_directory = str(staged.relative_to(course.root))
    config.CourseDirectory.release_directory = str(released.relative_to(course.root))
    config.CourseDirectory.assignment_id = assignment
    config.GenerateAssignment.no_database = language != course.languages[0]
    if language != course.languages[0]:
        config.GenerateAssignment.preprocessors = [
            s for s in config.GenerateAssignment.preprocessors if not s.endswith("SaveCells")
        ]
    config.BaseConverter.force = True
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    with captured_errors(converter.log) as errors:
        try:
            converter.start()
        except NbGraderException as error:
            if any("Cannot add or remove cells" in line for line in errors):
                raise CourseError(
                    f"The gradebook must have no submissions to an assignment whose tasks change. Received: {assignment} with "
                    "tasks added, removed or renamed. Finish the term with the tasks that it began with, or name another "
                    "gradebook with AUTOGRADER_DB_URL."
                ) from None
            raise CourseError(
                f"nbgrader could not release {assignment} in {language}:\n" + "\n".join(errors)
            ) from error
