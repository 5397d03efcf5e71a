"""nbgrader's own steps for one student's submission, run in this process: `autograde` and `generate_feedback`."""

from __future__ import annotations

import copy
import os
from contextlib import chdir
from pathlib import Path
from typing import Any

from nbgrader import utils
from nbgrader.apps.baseapp import NbGrader
from nbgrader.converters import Autograde, GenerateFeedback, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect

from autograder.base.errors import CourseError, MachineError
from autograder.gradebook.database import ignored_autoflush_warnings, shared_engine
from autograder.gradebook.logs import captured_errors
from autograder.sources.course import Course


class NbgraderSteps:
    """Enters verdicts into the gradebook and writes feedback pages as nbgrader's commands do, with their configuration.

    What was graded already, by the verdicts kept from before, isn't graded again.

    Attributes:
        exchange: root of nbgrader's exchange.
        checks_owner: whether a submission of the exchange must be its student's own, by the owner of its folder.
    """

    def __init__(self, course: Course) -> None:
        """Read nbgrader's configuration, as its commands in the course's folder would, and warn of unknown options in it.

        Args:
            course: the course whose sources and configuration are used.
        """
        self._course = course
        with chdir(course.root):
            app = NbGrader()
            app.initialize([])
        self._config = app.config
        # With the command's log each step warns of options that it hasn't; the ones made later have no log that is shown.
        steps: list[Any] = [
            step(coursedir=self._coursedir("", ""), config=self._config, log=app.log)
            for step in (ExchangeCollect, Autograde, GenerateFeedback)
        ]
        self.exchange = Path(steps[0].root)
        self.checks_owner = bool(steps[0].check_owner)

    def enter(self, assignment: str, student: str) -> None:
        """Grade a student's submission into the gradebook, in place of what was graded before.

        Raises:
            MachineError: a task of it stayed ungraded.
            CourseError: the gradebook hasn't the assignment, or the configuration is wrong.
            GradebookError: the database failed.
        """
        coursedir = self._coursedir(assignment, student)
        graded = coursedir.format_path(coursedir.autograded_directory, student, assignment)
        if os.path.isdir(graded):
            utils.rmtree(graded)
        self._run(Autograde, coursedir)

    def write_feedback(self, assignment: str, student: str) -> Path:
        """Write the feedback page of a graded submission and return its path.

        Raises:
            MachineError: nbgrader failed at it.
        """
        coursedir = self._coursedir(assignment, student)
        self._run(GenerateFeedback, coursedir, force=True)
        folder = Path(coursedir.format_path(coursedir.feedback_directory, student, assignment))
        page = folder / f"{self._course.source(assignment).name}.html"
        if not page.is_file():
            raise MachineError(f"nbgrader must write a page of feedback. Received: none of {student} in {folder}.")
        return page

    def submitted(self, assignment: str, student: str) -> Path:
        """Return the folder of a student's submission."""
        coursedir = self._coursedir(assignment, student)
        return Path(coursedir.format_path(coursedir.submitted_directory, student, assignment))

    def _coursedir(self, assignment: str, student: str) -> Any:
        config = copy.deepcopy(self._config)
        config.CourseDirectory.root = str(self._course.root)
        config.CourseDirectory.assignment_id = assignment
        config.CourseDirectory.student_id = student
        return CourseDirectory(config=config)

    def _run(self, kind: Any, coursedir: Any, *, force: bool = False) -> None:
        converter = kind(coursedir=coursedir, config=copy.deepcopy(self._config))
        converter.force = force
        with captured_errors(converter.log) as errors, shared_engine(), ignored_autoflush_warnings():
            try:
                converter.start()
            except NbGraderException as error:
                raise MachineError("\n".join(errors) or str(error)) from error
            except SystemExit as end:
                raise CourseError("\n".join(errors) or f"nbgrader ended with {end.code}.") from end
