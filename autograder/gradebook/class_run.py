"""One `nbgrader autograde`: which submissions it will ask for, their verdicts, and the summary."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nbgrader import utils
from nbgrader.converters import NbGraderException

from autograder.base.errors import AutograderError, CourseError, GradebookError, SealError
from autograder.base.names import fault_of_id, shown
from autograder.base.text import Text
from autograder.gradebook.database import Database, ignored_autoflush_warnings, missing_notebook, shared_engine
from autograder.gradebook.interruption import Interruption
from autograder.gradebook.late_days import unknown_student_warning, unknown_students
from autograder.gradebook.timestamps import unreadable_timestamps_ignored
from autograder.scheduling.class_grading import GradingAhead, SubmissionId
from autograder.scheduling.jobs import Job
from autograder.scheduling.progress import ClassProgress
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY
from autograder.submissions.intake import take_in
from autograder.submissions.notebook_file import only_notebook
from autograder.submissions.verdicts import Verdict

Value = TypeVar("Value")

INTERRUPTED = 130


class _Stop(KeyboardInterrupt):
    """Ends a run for a reason that every submission would meet; nbgrader goes on after any other exception."""


@dataclass(frozen=True)
class _Entry:
    """What the summary needs of a submission; verdicts hold pictures, which a large class would pile up."""

    student: str
    is_ungraded: bool
    fault: str
    is_stored: bool = False
    refusal: str = ""
    belongs_to: str = ""


class ClassRun:
    """The part of `nbgrader autograde` between its first submission and its last."""

    def __init__(self, converter: Any, course: Course) -> None:
        """Prepare a run.

        Args:
            converter: nbgrader's `Autograde`.
            course: the course whose sources and configuration are used.
        """
        self._converter = converter
        self._course = course
        self._interruption = Interruption()
        self._database = Database(course.database_url, converter.log.warning, self._interruption.sleep)
        self._entries: list[_Entry] = []
        self._left_out: list[tuple[str, str]] = []
        self._paths: dict[SubmissionId, Path] = {}
        self._ahead: GradingAhead | None = None
        self._progress: ClassProgress | None = None

    def convert(self) -> None:
        """Do what nbgrader does with its list of submissions, and say what became of them.

        Raises:
            NbGraderException: nothing can be graded here, something stayed ungraded, or nbgrader itself failed.
            SystemExit: after Ctrl-C, or a signal that asks this process to end.
        """
        converter, log = self._converter, self._converter.log
        self._require_assignments()
        self._require_extensions()
        self._leave_out_odd_names()
        if not converter.force:  # with it nbgrader removes everything
            self._remove_unfinished()
        with unreadable_timestamps_ignored(converter):
            self._paths = self._due()
        self._say_handed_in_again()
        progress = ClassProgress(f"grading {converter.coursedir.assignment_id}", len(self._paths), log)
        ahead = GradingAhead(
            self._course,
            list(self._paths),
            self._job,
            workers=self._course.worker_count,
            use_stored=not converter.force,
            on_graded=progress.finish,
            warn=log.warning,
        )
        try:
            with (
                self._interruption.handled(),
                unreadable_timestamps_ignored(converter),
                self._patient_beginnings(),
                shared_engine(),
                ignored_autoflush_warnings(),
                progress,
                ahead,
            ):
                self._ahead, self._progress = ahead, progress
                type(converter).convert_notebooks(converter)
        except (_Stop, CourseError, SealError) as stop:
            raise logged(log, stop) from None
        except KeyboardInterrupt:
            log.error("Stopped. The same command goes on where this one ended.")
            raise SystemExit(INTERRUPTED) from None
        finally:
            self._ahead = self._progress = None
            self._say_summary(progress)
        if any(entry.is_ungraded for entry in self._entries):
            raise NbGraderException("Some tasks are ungraded; see the summary.")
        if self._left_out:
            raise NbGraderException("Some students' folders can't be graded under their names; see the summary.")

    def verdict(self, job: Job, belongs_to: str) -> Verdict:
        """Return the verdict on what nbgrader is at.

        Args:
            job: the repaired submission and how it is graded.
            belongs_to: the other assignment whose notebook was handed in by mistake; empty if there is none.
        """
        assert self._ahead is not None
        try:
            with self._interruption.allowed():
                handed = self._ahead.verdict(job)
        except (SealError, CourseError) as error:
            raise _Stop(str(error)) from error
        self._note(handed.verdict, is_stored=handed.is_stored, belongs_to=belongs_to)
        return handed.verdict

    def write(self, action: Callable[[], Value]) -> Value:
        """Return what an action that reads or writes the gradebook returns; end the run if the database fails."""
        try:
            return self._database.retry(action)
        except GradebookError as error:
            raise _Stop(str(error)) from error

    def note_unread(self, verdict: Verdict, refusal: Text | None) -> None:
        """Take down the verdict on a submission that can't be read: refused, or the machine failed to read it."""
        self._note(verdict, refusal=refusal.en if refusal else "")

    def _note(self, verdict: Verdict, *, is_stored: bool = False, refusal: str = "", belongs_to: str = "") -> None:
        log, student = self._converter.log, verdict.student
        assert self._progress is not None
        self._entries.append(_Entry(student, bool(verdict.ungraded), verdict.fault, is_stored, refusal, belongs_to))
        self._progress.finish(SubmissionId(verdict.assignment, student))
        log.info(
            "%s: %g of %g points%s%s",
            student,
            verdict.points,
            verdict.max_points,
            " (ungraded tasks)" if verdict.ungraded else "",
            self._progress.after(len(self._entries)),
        )
        for line in verdict.unjudged:
            log.warning("%s: the grader failed at an answer, which counts as missed: %s", student, line)
        if verdict.fault:
            log.error("%s: tasks %s are ungraded: %s", student, ", ".join(verdict.ungraded), verdict.fault)

    def _say_summary(self, progress: ClassProgress) -> None:
        ungraded = [entry for entry in self._entries if entry.is_ungraded]
        refused = [entry for entry in self._entries if entry.refusal]
        misplaced = [entry for entry in self._entries if entry.belongs_to and not entry.is_ungraded]
        parts = [f"graded {len(self._entries) - len(ungraded) - len(refused) - len(misplaced)}"]
        parts.append(_named("refused (0 points)", [(entry.student, entry.refusal) for entry in refused]))
        parts.append(_named("ungraded", [(entry.student, entry.fault) for entry in ungraded]))
        if misplaced:
            parts.append(_named("of another assignment", [(entry.student, entry.belongs_to) for entry in misplaced]))
        if self._left_out:
            parts.append(_named("left out", self._left_out))
        parts.append(f"from the cache {sum(entry.is_stored for entry in self._entries)}")
        parts.append(f"{progress.seconds:.1f} s")
        needs_a_look = ungraded or self._left_out
        (self._converter.log.error if needs_a_look else self._converter.log.info)("Summary: %s", ", ".join(parts))

    def _require_assignments(self) -> None:
        """Stop before anything is changed if the gradebook isn't this course's: nbgrader would fail at every student."""
        coursedir = self._converter.coursedir
        notebooks = {place.assignment: path.stem for place, path in self._asked_for()}
        try:
            with shared_engine():
                message = self.write(lambda: missing_notebook(coursedir.db_url, coursedir.course_id, notebooks))
        except _Stop as stop:
            message = str(stop)
        if message:
            raise logged(self._converter.log, message)

    def _require_extensions(self) -> None:
        """Stop before anything is changed if the CSV of extensions is wrong: each penalty depends on it."""
        try:
            with shared_engine():
                for student in self.write(lambda: unknown_students(self._course)):
                    self._converter.log.warning("%s", unknown_student_warning(self._course, student))
        except (CourseError, _Stop) as error:
            raise logged(self._converter.log, error) from None

    def _leave_out_odd_names(self) -> None:
        """Take folders whose names nbgrader can't read out of its list: it would stop at the first one."""
        converter = self._converter
        parts = re.compile(converter._format_source(".*", "(?P<student>.*)", escape=True), re.DOTALL)
        for folder in sorted(converter.assignments):
            found = parts.fullmatch(folder)
            fault = fault_of_id(found["student"]) if found else "it is none of a student"
            if fault:
                del converter.assignments[folder]
                name = shown(found["student"] if found else folder)
                self._left_out.append((name, fault))
                converter.log.error(
                    "%s: left out, for its name can't be a student's id: %s. Rename the folder.", name, fault
                )

    @contextmanager
    def _patient_beginnings(self) -> Generator[None]:
        """Let nbgrader's first entries about a submission, which it can repeat, wait for the database too."""
        converter = self._converter
        init_assignment = converter.init_assignment
        converter.init_assignment = lambda *ids: self.write(lambda: init_assignment(*ids))
        try:
            yield
        finally:
            del converter.init_assignment

    def _asked_for(self) -> Iterator[tuple[SubmissionId, Path]]:
        """Yield the submissions that nbgrader was asked to grade, in its order, and the expected notebooks' paths."""
        converter = self._converter
        parts = re.compile(converter._format_source("(?P<assignment>.*)", "(?P<student>.*)", escape=True))
        for folder in sorted(converter.assignments):
            found = parts.match(folder)
            if found is None or found["assignment"] not in self._course.source_paths:
                continue
            name = f"{self._course.source(found['assignment']).name}.ipynb"
            if [os.path.basename(path) for path in converter.assignments[folder]] == [name]:
                yield SubmissionId(found["assignment"], found["student"]), Path(folder, name)

    def _remove_unfinished(self) -> None:
        """Remove what an earlier run couldn't finish from the autograded folder: nbgrader would take it for graded."""
        for place, path in self._asked_for():
            folder = self._graded_folder(place)
            if os.path.isdir(folder) and (lack := _what_it_lacks(Path(folder, path.name))):
                self._converter.log.warning("%s: %s: graded anew", place.student, lack)
                utils.rmtree(folder)

    def _due(self) -> dict[SubmissionId, Path]:
        """Return what nbgrader will probably ask for, in its order, and the expected notebooks' paths."""
        return {place: path for place, path in self._asked_for() if self._will_be_graded(place, path.name)}

    def _say_handed_in_again(self) -> None:
        """Name whose graded notebook is older than the submitted one and stays: nbgrader goes by `timestamp.txt` alone."""
        excluded = self._converter.coursedir.student_id_exclude.split(",")
        again = [
            place.student
            for place, path in self._asked_for()
            if place not in self._paths
            and place.student not in excluded
            and _is_newer(path, Path(self._graded_folder(place), path.name))
        ]
        if again:
            self._converter.log.warning(
                "Handed in again since it was graded, not graded again: %s. Use --force, with --student for one of them.",
                ", ".join(again),
            )

    def _graded_folder(self, place: SubmissionId) -> str:
        coursedir = self._converter.coursedir
        folder: str = coursedir.format_path(coursedir.autograded_directory, place.student, place.assignment)
        return folder

    def _will_be_graded(self, place: SubmissionId, name: str) -> bool:
        """Whether nbgrader will take a submission: what its `init_destination` decides, without the changes it makes."""
        coursedir = self._converter.coursedir
        if place.student in coursedir.student_id_exclude.split(","):
            return False
        folder = self._graded_folder(place)
        graded = folder if coursedir.notebook_id == "*" else os.path.join(folder, name)
        if self._converter.force or not os.path.exists(graded):
            return True
        submitted = coursedir.format_path(coursedir.submitted_directory, place.student, place.assignment)
        times = [coursedir.get_existing_timestamp(path) for path in (submitted, folder)]
        return None not in times and times[0] > times[1]

    def _job(self, place: SubmissionId) -> Job | None:
        taken = take_in(self._paths[place], self._course, place.assignment)
        if taken.refused or taken.unread:
            return None
        return Job.of(self._course.grading_of(place.assignment, place.student), taken.submission)


def logged(log: logging.Logger, reason: object) -> NbGraderException:
    """Log why nbgrader's command ends, which nbgrader itself doesn't, and return the exception that ends it."""
    log.error("%s", reason)
    return NbGraderException(str(reason))


def _what_it_lacks(graded: Path) -> str:
    """Return why a notebook in the autograded folder isn't finished, empty if it is or if that can't be told.

    nbgrader writes it twice, repaired and graded; what it writes in between holds no result.
    """
    try:
        tasks = json.loads(graded.read_bytes())["metadata"][NOTEBOOK_KEY]["result"].get("tasks", {})
        is_graded = all(task["points"] is not None for task in tasks.values())
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return "an earlier run ended in the middle of it"
    except OSError:  # not ours to judge
        return ""
    return "" if is_graded else "tasks of it stayed ungraded"


def _is_newer(submitted: Path, graded: Path) -> bool:
    """Whether a submitted notebook was written after its graded one; not if that can't be told."""
    try:
        return os.lstat(only_notebook(submitted)).st_mtime > os.lstat(graded).st_mtime
    except (OSError, AutograderError):
        return False


def _named(title: str, entries: list[tuple[str, str]]) -> str:
    """Return `ungraded 2 (mary: no disk; paul: no disk)`."""
    return f"{title} {len(entries)}" + (f" ({'; '.join(f'{who}: {why}' for who, why in entries)})" if entries else "")
