"""The steps of `nbgrader autograde` that are ours: repair, grade from outside, save the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, Execute, NbGraderPreprocessor, SaveAutoGrades

from autograder.base.errors import MachineError, SubmissionError
from autograder.base.text import Text
from autograder.base.visible import storable
from autograder.gradebook.sanitize import Room, harmless_code, harmless_outputs, harmless_prose
from autograder.grading.runner import TaskResult
from autograder.report.feedback import summary_markdown, task_html, task_text
from autograder.report.record import result_record
from autograder.scheduling.jobs import Job
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY, NotebookSource
from autograder.submissions.evaluation import Verdict, leave_ungraded, refuse
from autograder.submissions.intake import Submission, blank, named_files, read_files, repair


class RepairSubmission(NbGraderPreprocessor):
    """Lay the student's answers into the released notebook's structure."""

    parent: Any

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Return the repaired notebook; what was repaired or refused travels in its metadata."""
        about = resources["nbgrader"]
        submission = repair(nb, self.parent.course.source(about["assignment"]))
        refused: Text | None = about.get("refused")
        unread: str = about.get("unread", "")
        if not refused and not unread:
            try:
                submission.notes += self._notes_on_files(submission, about["student"])
            except MachineError as error:
                unread = str(error)
        notes = [refused] if refused else [] if unread else submission.notes
        notebook = submission.notebook()
        notebook.metadata[NOTEBOOK_KEY]["notes"] = [[note.en, note.ko] for note in notes]
        notebook.metadata[NOTEBOOK_KEY]["refused"] = refused is not None
        notebook.metadata[NOTEBOOK_KEY]["unread"] = unread
        for note in notes:
            self.log.warning("%s: %s", about["student"], note.en)
        return notebook, resources

    def _notes_on_files(self, submission: Submission, student: str) -> list[Text]:
        return _read_files(self.parent, submission.source, student, submission.cells)[1]


class GradeOutside(Execute):
    """Takes the place of nbgrader's Execute: runs the cells and the hidden graders, and keeps the verdict."""

    parent: Any

    def preprocess(
        self, nb: NotebookNode, resources: Any = None, km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Grade a repaired notebook; nothing that it printed is read as a score."""
        about = resources["nbgrader"]
        verdict = about["verdict"] = self._verdict(nb, about["assignment"], about["student"])
        room = Room(nb.metadata[NOTEBOOK_KEY]["language"])
        _make_harmless(nb, self.parent.course.source(about["assignment"]), room)
        show_verdict(nb, verdict, room)
        nb.metadata[NOTEBOOK_KEY]["result"] = result_record(verdict)
        note_what_was_done_without(nb, self.parent.course)
        return nb, resources

    def _verdict(self, nb: NotebookNode, assignment: str, student: str) -> Verdict:
        exporter = self.parent
        told = nb.metadata[NOTEBOOK_KEY]
        notes = tuple(Text(en, ko) for en, ko in told["notes"])
        if told["refused"]:
            return self._refusal(nb, assignment, student, notes[0])
        if told.get("unread"):
            return self._unread(nb, assignment, student, told["unread"])
        try:
            files, _ = _read_files(exporter, exporter.course.source(assignment), student, nb.cells)
            grading = exporter.course.grading_of(assignment, student)
            verdict: Verdict = exporter.run.verdict(Job(grading, _json(nb), notes, files))
        except SubmissionError as error:  # what repair added makes it too long
            return self._refusal(nb, assignment, student, error.text)
        except MachineError as error:
            return self._unread(nb, assignment, student, str(error))
        return verdict

    def _unread(self, nb: NotebookNode, assignment: str, student: str, fault: str) -> Verdict:
        verdict = leave_ungraded(blank(self.parent.course.source(assignment)), student, fault)
        verdict.language = nb.metadata[NOTEBOOK_KEY]["language"]
        self.parent.run.note_unread(verdict)
        return verdict

    def _refusal(self, nb: NotebookNode, assignment: str, student: str, reason: Text) -> Verdict:
        nb.metadata[NOTEBOOK_KEY]["refused"] = True
        verdict = refuse(blank(self.parent.course.source(assignment)), student, reason)
        self.parent.run.note_refused(verdict)
        return verdict


class SaveVerdict(SaveAutoGrades):
    """Stores the points of the verdict, all at once; nbgrader's own reading of cell outputs is never asked."""

    parent: Any

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Store the points and comments of a graded notebook, which stays as it is."""
        self.parent.run.write(lambda: self._save(resources["nbgrader"]))
        return nb, resources

    def _save(self, about: Mapping[str, Any]) -> None:
        verdict: Verdict = about["verdict"]
        with Gradebook(about["db_url"]) as gradebook:
            saved = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            for grade in saved.grades:
                task = verdict.tasks.get(grade.name.removeprefix("grade-"))
                grade.auto_score = task.points if task else None
                grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None
            for comment in saved.comments:
                task = verdict.tasks.get(comment.name.removeprefix("task-"))
                text = task_text(task, verdict.language) if task else None
                comment.auto_comment = text and storable(text)
            gradebook.db.commit()


class SaveLatePenalties(AssignLatePenalties):
    """nbgrader's own step, repeated where the database failed for a moment."""

    parent: Any

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Store what a late submission loses."""
        assign = super().preprocess
        saved: tuple[NotebookNode, ResourcesDict] = self.parent.run.write(lambda: assign(nb, resources))
        return saved


def note_what_was_done_without(nb: NotebookNode, course: Course) -> None:
    """Keep in a graded notebook's metadata which guarantees of the seal the course did without."""
    if course.unsafe_allow_missing:
        nb.metadata[NOTEBOOK_KEY]["done_without"] = list(course.unsafe_allow_missing)


def _make_harmless(nb: NotebookNode, source: NotebookSource, room: Room) -> None:
    """Leave no HTML and no link in the prose that isn't the release's, and cut what is too long to be shown.

    Graded is what was handed in.
    """
    released = {cell.id: cell.texts[room.language].strip() for cell in source.cells}
    for cell in nb.cells:
        if cell.source.strip() == released.get(cell.id):
            continue
        if cell.cell_type == "markdown":
            cell.source = harmless_prose(cell.source, room)
        else:
            cell.source = harmless_code(cell.source, room)


def show_verdict(nb: NotebookNode, verdict: Verdict, room: Room | None = None) -> None:
    """Put the executed outputs and the verdict into the notebook: one summary on top, one report per graded cell."""
    room = room or Room(verdict.language)
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.outputs = harmless_outputs(verdict.outputs.get(cell.id, []), room)
        if utils.is_grade(cell):
            task: TaskResult = verdict.tasks[cell.metadata["nbgrader"]["grade_id"].removeprefix("grade-")]
            report = {"text/plain": task_text(task, verdict.language), "text/html": task_html(task, verdict.language)}
            cell.outputs.append(new_output("display_data", data=report))
    if nb.cells and nb.cells[0].id == "verdict":
        del nb.cells[0]
    summary = new_markdown_cell(summary_markdown(verdict))
    summary.id = "verdict"
    nb.cells.insert(0, summary)


def _read_files(
    exporter: Any, source: NotebookSource, student: str, cells: Iterable[NotebookNode]
) -> tuple[dict[str, bytes], list[Text]]:
    """Return the files beside a submitted notebook, and the notes on those that were left out."""
    coursedir = exporter.parent.coursedir
    folder = Path(coursedir.format_path(coursedir.submitted_directory, student, source.assignment))
    limits = exporter.course.limits_of(source.assignment)
    return read_files(folder, limits.notebook_bytes, named_files(source, cells), limits.disk_files)


def _json(nb: NotebookNode) -> bytes:
    return nbformat.writes(nb).encode("utf-8")
