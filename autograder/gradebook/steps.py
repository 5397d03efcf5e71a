"""The steps of `nbgrader autograde` that are ours: repair, grade from outside, save the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output
from nbgrader import utils
from nbgrader.preprocessors import Execute, NbGraderPreprocessor, SaveAutoGrades

from autograder.course import Course, load_course
from autograder.evaluation import Verdict, grade_submission, refuse
from autograder.grading import TaskResult
from autograder.intake import parse_notebook, read_files, repair
from autograder.notebooks import NOTEBOOK_KEY
from autograder.report.feedback import summary_markdown, task_html, task_text
from autograder.text import Text

Resources = dict[str, Any]


def _course(step: Any) -> Course:
    return load_course(Path(step.parent.parent.coursedir.root))


class RepairSubmission(NbGraderPreprocessor):
    """Lay the student's answers into the released notebook's structure."""

    def preprocess(self, nb: NotebookNode, resources: Resources) -> tuple[NotebookNode, Resources]:
        """Return the repaired notebook; what was repaired or refused travels in its metadata."""
        about = resources["nbgrader"]
        submission = repair(nb, _course(self).source(about["assignment"]))
        refused: Text | None = about.get("refused")
        notes = [refused] if refused else submission.notes
        notebook = submission.notebook()
        notebook.metadata[NOTEBOOK_KEY]["notes"] = [[note.en, note.ko] for note in notes]
        notebook.metadata[NOTEBOOK_KEY]["refused"] = refused is not None
        for note in notes:
            self.log.warning("%s: %s", about["student"], note.en)
        return notebook, resources


class GradeOutside(Execute):
    """Takes the place of nbgrader's Execute: runs the cells and the hidden graders, and keeps the verdict."""

    def preprocess(self, nb: NotebookNode, resources: Resources, km: Any = None) -> tuple[NotebookNode, Resources]:
        """Grade a repaired notebook; nothing that it printed is read as a score."""
        course = _course(self)
        about = resources["nbgrader"]
        told = nb.metadata[NOTEBOOK_KEY]
        submission = repair(parse_notebook(_json(nb)), course.source(about["assignment"]))
        submission.notes = [Text(en, ko) for en, ko in told["notes"]]
        if told["refused"]:
            verdict = refuse(submission, about["student"], submission.notes[0])
        else:
            folder = Path(
                course.root, self.parent.parent.coursedir.submitted_directory, about["student"], about["assignment"]
            )
            submission.files = read_files(folder, course.limits_of(about["assignment"]).notebook_bytes)
            verdict = grade_submission(course, submission, about["student"])
        about["verdict"] = verdict
        show_verdict(nb, verdict)
        self.log.info(
            "%s: %g of %g points%s",
            about["student"],
            verdict.points,
            verdict.max_points,
            " (ungraded tasks)" if verdict.ungraded else "",
        )
        if verdict.fault:
            self.log.error(
                "%s: tasks %s are ungraded: %s", about["student"], ", ".join(verdict.ungraded), verdict.fault
            )
        return nb, resources


class SaveVerdict(SaveAutoGrades):
    """Stores the points of the verdict; nbgrader's own reading of cell outputs is never asked."""

    def _add_score(self, cell: NotebookNode, resources: Resources) -> None:
        grade_id = cell.metadata["nbgrader"]["grade_id"]
        grade = self.gradebook.find_grade(grade_id, self.notebook_id, self.assignment_id, self.student_id)
        verdict: Verdict | None = resources["nbgrader"].get("verdict")
        task = verdict.tasks.get(grade_id.removeprefix("grade-")) if verdict else None
        points = task.points if task else None
        grade.auto_score = points
        grade.needs_manual_grade = grade.manual_score is not None or points is None
        self.gradebook.db.commit()

    def _add_comment(self, cell: NotebookNode, resources: Resources) -> None:
        grade_id = cell.metadata["nbgrader"]["grade_id"]
        comment = self.gradebook.find_comment(grade_id, self.notebook_id, self.assignment_id, self.student_id)
        verdict: Verdict | None = resources["nbgrader"].get("verdict")
        task = verdict.tasks.get(grade_id.removeprefix("task-")) if verdict else None
        comment.auto_comment = task_text(task, verdict.language) if task and verdict else None
        self.gradebook.db.commit()


def show_verdict(nb: NotebookNode, verdict: Verdict) -> None:
    """Put the executed outputs and the verdict into the notebook: one summary on top, one report per graded cell."""
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        cell.outputs = [NotebookNode(output) for output in verdict.outputs.get(cell.id, [])]
        if utils.is_grade(cell):
            task: TaskResult = verdict.tasks[cell.metadata["nbgrader"]["grade_id"].removeprefix("grade-")]
            report = {"text/plain": task_text(task, verdict.language), "text/html": task_html(task, verdict.language)}
            cell.outputs.append(new_output("display_data", data=report))
    if nb.cells and nb.cells[0].id == "verdict":
        del nb.cells[0]
    summary = new_markdown_cell(summary_markdown(verdict))
    summary.id = "verdict"
    nb.cells.insert(0, summary)


def _json(nb: NotebookNode) -> bytes:
    return nbformat.writes(nb).encode("utf-8")
