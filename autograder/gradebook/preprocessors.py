"""The steps of `nbgrader autograde` that are ours: repair, grade from outside, save the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties, Execute, NbGraderPreprocessor, SaveAutoGrades

from autograder.base.errors import SubmissionError
from autograder.base.visible import storable
from autograder.gradebook.late_days import write_penalties
from autograder.gradebook.sanitize import DisplayBudget, harmless_code, harmless_outputs, harmless_prose
from autograder.gradebook.scores import points_of
from autograder.grading.runner import TaskResult, mistakes_of
from autograder.report.feedback import summary_markdown, task_html, task_text
from autograder.report.record import result_record
from autograder.scheduling.jobs import Job
from autograder.sources.course import Course
from autograder.sources.notebooks import NOTEBOOK_KEY, NotebookSource
from autograder.submissions.evaluation import verdict_on_unreadable
from autograder.submissions.intake import Intake
from autograder.submissions.submission import blank
from autograder.submissions.verdicts import Verdict, refuse


class RepairSubmission(NbGraderPreprocessor):
    """Lay the student's answers into the released notebook's structure."""

    parent: Any

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Return the repaired notebook; its metadata says whether it was refused, and which other assignment's it is."""
        about = resources["nbgrader"]
        taken: Intake = self.parent.taken(about["assignment"], about["student"])
        notebook = taken.submission.notebook()
        notebook.metadata[NOTEBOOK_KEY] |= {"refused": taken.refused is not None, "belongs_to": taken.belongs_to}
        for note in [taken.refused] if taken.refused else taken.submission.notes:
            self.log.warning("%s: %s", about["student"], note.en)
        return notebook, resources


class GradeOutside(Execute):
    """Takes the place of nbgrader's Execute: runs the cells and the hidden graders, and keeps the verdict."""

    parent: Any

    def preprocess(
        self, nb: NotebookNode, resources: Any = None, km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Grade a repaired notebook; nothing that it printed is read as a score."""
        about = resources["nbgrader"]
        verdict = about["verdict"] = self._verdict(nb, about["assignment"], about["student"])
        budget = DisplayBudget(nb.metadata[NOTEBOOK_KEY]["language"])
        source = self.parent.course.source(about["assignment"])
        _make_harmless(nb, source, budget)
        show_verdict(nb, verdict, budget)
        hints = {mistake.id: mistake.hint for mistake in mistakes_of(source.folder).values()}
        nb.metadata[NOTEBOOK_KEY]["result"] = result_record(verdict, hints)
        record_missing_guarantees(nb, self.parent.course)
        return nb, resources

    def _verdict(self, nb: NotebookNode, assignment: str, student: str) -> Verdict:
        exporter = self.parent
        taken: Intake = exporter.taken(assignment, student)
        if (verdict := verdict_on_unreadable(taken, student)) is None:
            job = Job.of(exporter.course.grading_of(assignment, student), replace(taken.submission, cells=nb.cells))
            try:
                graded: Verdict = exporter.run.verdict(job, taken.belongs_to)
                return graded
            except SubmissionError as error:  # what repair added makes it too long
                taken = Intake(blank(taken.submission.source), refused=error.text)
                verdict = refuse(taken.submission, student, error.text)
        nb.metadata[NOTEBOOK_KEY]["refused"] = taken.refused is not None
        exporter.run.note_unread(verdict, taken.refused)
        return verdict


class SaveVerdict(SaveAutoGrades):
    """Stores the points of the verdict, all at once; nbgrader's own reading of cell outputs is never asked."""

    parent: Any

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Store the points and comments of a graded notebook, which stays as it is."""
        about = resources["nbgrader"]
        total = self.parent.run.write(lambda: self._save(about))
        verdict: Verdict = about["verdict"]
        if total != verdict.points:
            self.log.info("%s: with points given by hand, %g of %g count", verdict.student, total, verdict.max_points)
        return nb, resources

    def _save(self, about: Mapping[str, Any]) -> float:
        """Store a verdict, and return the points that count, those given by hand among them."""
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
            return sum(points_of(grade) or 0.0 for grade in saved.grades)


class SaveLatePenalties(AssignLatePenalties):
    """nbgrader's own step after the extensions, or the course's rule on late days in its place.

    It is repeated where the database failed for a moment.
    """

    parent: Any

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Store what a late submission loses."""
        assign = super().preprocess
        course: Course = self.parent.course
        about = resources["nbgrader"]

        def save() -> tuple[NotebookNode, ResourcesDict]:
            with Gradebook(about["db_url"]) as gradebook:
                write_penalties(course, gradebook, about["student"])
            return (nb, resources) if course.late_days else assign(nb, resources)

        saved: tuple[NotebookNode, ResourcesDict] = self.parent.run.write(save)
        return saved


def record_missing_guarantees(nb: NotebookNode, course: Course) -> None:
    """Record in a graded notebook's metadata which guarantees of the seal were missing when it was graded."""
    if course.unsafe_allow_missing:
        nb.metadata[NOTEBOOK_KEY]["done_without"] = list(course.unsafe_allow_missing)


def _make_harmless(nb: NotebookNode, source: NotebookSource, budget: DisplayBudget) -> None:
    """Leave no HTML and no link in the prose that isn't the release's, and cut what is too long to be shown.

    Graded is what was handed in.
    """
    released = {cell.id: cell.texts[budget.language].strip() for cell in source.cells}
    for cell in nb.cells:
        if cell.source.strip() == released.get(cell.id):
            continue
        if cell.cell_type == "markdown":
            cell.source = harmless_prose(cell.source, budget)
        else:
            cell.source = harmless_code(cell.source, budget)


def show_verdict(nb: NotebookNode, verdict: Verdict, budget: DisplayBudget | None = None) -> None:
    """Put the executed outputs and the verdict into the notebook: one summary on top, one report per graded cell."""
    budget = budget or DisplayBudget(verdict.language)
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.outputs = harmless_outputs(verdict.outputs.get(cell.id, []), budget)
        if utils.is_grade(cell):
            task: TaskResult = verdict.tasks[cell.metadata["nbgrader"]["grade_id"].removeprefix("grade-")]
            report = {"text/plain": task_text(task, verdict.language), "text/html": task_html(task, verdict.language)}
            cell.outputs.append(new_output("display_data", data=report))
    if nb.cells and nb.cells[0].id == "verdict":
        del nb.cells[0]
    summary = new_markdown_cell(summary_markdown(verdict))
    summary.id = "verdict"
    nb.cells.insert(0, summary)
