"""How `nbgrader autograde` reads submissions: through our intake, for every student's folder, whatever is in it."""

from __future__ import annotations

import dataclasses
import os
from glob import glob
from pathlib import Path
from typing import Any, cast

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from traitlets import Unicode

from autograder.base.errors import CourseError
from autograder.base.visible import writable
from autograder.gradebook.class_run import ClassRun, logged
from autograder.gradebook.preprocessors import GradeOutside
from autograder.scheduling.class_grading import SubmissionId
from autograder.sources.course import Course, load_course
from autograder.submissions.intake import Intake, take_in


class SubmissionExporter(NotebookExporter):
    """nbgrader's exporter for `Autograde`, made once a command, before the first submission is converted."""

    scheduler = Unicode(
        help="Where submissions are graded instead of where the course says: `local` or a Dask address"
    ).tag(config=True)

    parent: Any

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.course: Course = load_course(Path(self.parent.coursedir.root))
        if self.scheduler:
            self.course = self._elsewhere(self.scheduler)
        self._refuse_no_execute()
        self._take_every_folder()
        self.run = ClassRun(self.parent, self.course)
        self._taken: dict[SubmissionId, Intake] = {}
        self.parent.convert_notebooks = self.run.convert  # nbgrader has no hook around a whole class

    def from_filename(self, filename: str, resources: Any = None, **kw: Any) -> Any:
        """Take in a submitted notebook leniently; one that can't be read becomes an empty one and a reason."""
        if not self._is_submitted(filename):
            return super().from_filename(filename, resources=resources, **kw)
        about = resources["nbgrader"]
        assignment = about["assignment"]
        taken = take_in(Path(filename), self.course, assignment)
        self._taken = {SubmissionId(assignment, about["student"]): taken}
        return self.from_notebook_node(taken.submission.notebook(), resources=resources, **kw)

    def taken(self, assignment: str, student: str) -> Intake:
        """Return what was taken in last, which nbgrader repairs and then grades; raises KeyError if it is another's."""
        return self._taken[SubmissionId(assignment, student)]

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **kwargs: Any) -> tuple[str, Any]:
        """Run the steps on a notebook and return its JSON; parsed anew, since validation changes what it is given."""
        again = cast(NotebookNode, nbformat.from_dict(nb))
        text, resources = super().from_notebook_node(again, resources=resources, **kwargs)
        return writable(text), resources

    def _is_submitted(self, filename: str) -> bool:
        submitted = os.path.abspath(self.parent.coursedir.submitted_directory)
        return os.path.abspath(filename).startswith(submitted + os.sep)

    def _elsewhere(self, scheduler: str) -> Course:
        try:
            return dataclasses.replace(self.course, scheduler=scheduler)
        except CourseError as error:
            raise logged(self.log, error) from error

    def _refuse_no_execute(self) -> None:
        """Stop before nbgrader removes the grades that there are: it would put nothing in their place."""
        if not GradeOutside(parent=self).enabled:
            raise logged(
                self.log,
                "Students' code must be executed to be graded: outputs that a notebook brings along are never read as "
                "points. Received: --no-execute (Execute.enabled=False). Leave it out; nothing was changed.",
            )

    def _take_every_folder(self) -> None:
        """Give nbgrader exactly the expected notebook of each student's folder, there or not, under any name.

        nbgrader itself skips a folder without notebooks, stops at one with a strange notebook, and follows links
        among the files beside it.
        """
        converter = self.parent
        coursedir = converter.coursedir
        coursedir.ignore = [*coursedir.ignore, "*"]
        names = self.course.notebook_names.values()
        if not hasattr(converter, "_format_source") or coursedir.notebook_id not in ("*", *names):
            return
        pattern = converter._format_source(coursedir.assignment_id, coursedir.student_id)
        for folder in glob(pattern):
            assignment = os.path.basename(folder)
            if os.path.isdir(folder) and assignment in self.course.source_paths:
                converter.assignments[folder] = [os.path.join(folder, f"{self.course.source(assignment).name}.ipynb")]
