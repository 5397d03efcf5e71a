"""nbgrader's configuration for a course: folders, database and the steps of `nbgrader autograde`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from traitlets.config import Config

from autograder.base.errors import CourseError
from autograder.gradebook.logs import escape_logs
from autograder.kernels.warm import start_ahead
from autograder.sources.course import LOCAL, Course

# Whole lists: nbgrader reads its configuration several times a command, so appending would repeat the steps.
SANITIZE = ["autograder.gradebook.preprocessors.RepairSubmission"]
AUTOGRADE = [
    "autograder.gradebook.preprocessors.GradeOutside",
    "nbgrader.preprocessors.LimitOutput",
    "autograder.gradebook.preprocessors.SaveVerdict",
    "autograder.gradebook.preprocessors.SaveLatePenalties",
]  # without nbgrader's CheckCellMetadata: the metadata of a repaired notebook is the release's, which was checked when it was built


def nbgrader_configuration(course: Course) -> Config:
    """Return the configuration that makes nbgrader's own commands grade this course from outside.

    Of a command that will grade here it also starts the warm process, which imports TensorFlow while nbgrader goes on importing.

    Raises:
        CourseError: the gradebook's URL needs something that isn't installed.
    """
    _require_driver(course.database_url)
    if course.scheduler == LOCAL and will_grade(course, sys.orig_argv):
        start_ahead(course.backend)
    _put_our_programs_on_path()
    escape_logs()
    c = Config()
    c.CourseDirectory.course_id = course.id
    c.CourseDirectory.root = str(course.root)
    c.CourseDirectory.source_directory = str(staging_folder(course, course.languages[0]).relative_to(course.root))
    c.CourseDirectory.release_directory = f"assignments/{course.languages[0]}"
    c.CourseDirectory.db_url = course.database_url
    c.Autograde.exporter_class = "autograder.gradebook.exporter.SubmissionExporter"
    c.SubmissionExporter.optimistic_validation = True  # once, after all steps; none of them brings cells of its own
    c.Autograde.sanitize_preprocessors = SANITIZE
    c.Autograde.autograde_preprocessors = AUTOGRADE
    c.GenerateFeedback.exporter_class = "autograder.gradebook.feedback_page.FeedbackExporter"
    c.GenerateFeedback.preprocessors = ["nbgrader.preprocessors.GetGrades"]
    # The formgrader's page too: prose without tags and links, within a bounded time
    pages = "autograder.gradebook.rendering"  # by name: few commands write pages
    c.HTMLExporter.filters = {
        "markdown2html": f"{pages}.formgrader_markdown2html",
        "highlight_code": f"{pages}.highlight_code",
        "strip_files_prefix": f"{pages}.strip_files_prefix",
    }
    c.GenerateAssignment.preprocessors = [
        "nbgrader.preprocessors.LockCells",
        "autograder.gradebook.clear_solutions.ClearSolutionsToBroken",
        *(
            f"nbgrader.preprocessors.{step}"
            for step in ("ClearOutput", "CheckCellMetadata", "ComputeChecksums", "SaveCells")
        ),
        *(f"nbgrader.preprocessors.{step}" for step in ("ComputeChecksums", "CheckCellMetadata")),
    ]
    c.CanvasExport.bonus = list(course.bonus)
    return c


def will_grade(course: Course, command: Sequence[str]) -> bool:
    """Whether a command line is `nbgrader autograde …` for an assignment in which somebody handed in what nobody has graded.

    Args:
        course: the course in whose folders submissions and graded notebooks lie.
        command: the words of the command line, from the interpreter on.
    """
    if not any(Path(program).name == "nbgrader" and verb == "autograde" for program, verb in pairwise(command)):
        return False
    named = [assignment for assignment in course.source_paths if assignment in command]
    submitted, graded = course.root / "submitted", course.root / "autograded"
    return any(
        "--force" in command or not os.path.exists(graded / folder.parent.name / assignment)
        for assignment in named
        for folder in submitted.glob(f"*/{assignment}")
    )


def staging_folder(course: Course, language: str) -> Path:
    """Return the folder of the instructor's notebooks in one language: nbgrader's source folder."""
    return course.staging / language


def _require_driver(url: str) -> None:
    if url.startswith("postgres:"):
        raise CourseError("AUTOGRADER_DB_URL must begin with `postgresql://`. Received: `postgres://`. Write it out.")
    if url.startswith(("postgresql:", "postgresql+psycopg:")) and find_spec("psycopg") is None:
        raise CourseError(
            "A gradebook on PostgreSQL needs the extra `postgresql`. Received: AUTOGRADER_DB_URL of such a database "
            "without psycopg. Run `EXTRAS=test,postgresql ./run install`."
        )


def _put_our_programs_on_path() -> None:
    """Let nbgrader find `alembic`, which it runs by name, even if the environment isn't activated."""
    programs = str(Path(sys.prefix) / "bin")
    path = os.environ.get("PATH", "").split(os.pathsep)
    if programs not in path:
        os.environ["PATH"] = os.pathsep.join([programs, *path])
