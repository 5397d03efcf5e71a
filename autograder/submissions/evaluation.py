"""One submission from file to verdict: read, repair, execute, grade, follow through."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from autograder import grading
from autograder.cells import alone, run_cells, shown_for
from autograder.course import Course, Limits
from autograder.errors import MachineError, SubmissionError
from autograder.grading import TaskResult
from autograder.intake import Submission, blank, named_files, read_files, read_submission, repair
from autograder.kernels.proxies import ProxyHost
from autograder.kernels.run import NotebookRun, RunCell, stop_error
from autograder.kernels.session import KernelSession
from autograder.probe import KernelProbe
from autograder.text import Text

MACHINE_TRIES = 2
ALONE_SECONDS = 10.0  # for a cell of a task that is looked at again without the others


@dataclass
class Verdict:
    """What a submission earned and why.

    Attributes:
        assignment, notebook, student, language: what was graded.
        tasks: task slug -> result.
        notes: about the whole notebook, for the student.
        outputs: cell id -> outputs of its execution.
        fault: why it could not be graded, for the instructor.
        seconds: wall time.
    """

    assignment: str
    notebook: str
    student: str
    language: str
    tasks: dict[str, TaskResult]
    notes: list[Text] = field(default_factory=list)
    outputs: dict[str, list[NotebookNode]] = field(default_factory=dict)
    fault: str = ""
    seconds: float = 0.0

    @property
    def points(self) -> float:
        """Points of the graded tasks."""
        return sum(task.points or 0.0 for task in self.tasks.values())

    @property
    def max_points(self) -> float:
        """Points of all tasks."""
        return sum(task.max_points for task in self.tasks.values())

    @property
    def ungraded(self) -> list[str]:
        """Slugs of the tasks that the grader or the machine failed at."""
        return [slug for slug, task in self.tasks.items() if task.points is None]


def grade_file(
    course: Course, assignment: str, path: Path, student: str, *, shows: str = ""
) -> tuple[Submission, Verdict]:
    """Grade one submitted notebook file.

    Returns:
        The repaired submission (empty answers if the file can't be read) and its verdict, ungraded if that was the
        machine's failure.
    """
    source = course.source(assignment)
    limits = course.limits_of(assignment)
    try:
        submission = repair(read_submission(path, limits.notebook_bytes), source)
        named = named_files(source, submission.cells)
        submission.files, notes = read_files(path.parent, limits.notebook_bytes, named)
        submission.notes += notes
    except SubmissionError as error:
        submission = blank(source)
        return submission, refuse(submission, student, error.text)
    except MachineError as error:
        submission = blank(source)
        return submission, leave_ungraded(submission, student, str(error))
    return submission, grade_submission(course, submission, student, shows=shows)


def refuse(submission: Submission, student: str, text: Text) -> Verdict:
    """Return the verdict on a file that can't be read: nothing earned, with the reason."""
    source = submission.source
    tasks = grading.refused(source.name, source.points, text)
    return Verdict(source.assignment, source.name, student, submission.language, tasks, [text])


def leave_ungraded(submission: Submission, student: str, fault: str) -> Verdict:
    """Return a verdict that grades nothing, because of what the machine failed at."""
    source = submission.source
    tasks = grading.ungraded(source.name, source.points, fault)
    notes = list(submission.notes)
    return Verdict(source.assignment, source.name, student, submission.language, tasks, notes, {}, fault)


def grade_submission(
    course: Course,
    submission: Submission,
    student: str,
    *,
    shows: str = "",
    tries: int = MACHINE_TRIES,
    tasks: Collection[str] | None = None,
) -> Verdict:
    """Execute and grade a repaired submission.

    Args:
        course: its limits, secret and backend.
        submission: what was handed in.
        student: whose it is; the graders' random inputs depend on it.
        shows: which pictures and public checks are executed, `lost`, `all` or `none`; default: as the course says.
        tries: before the machine's failure leaves everything ungraded.
        tasks: grade these only (default: all).
    """
    source = submission.source
    limits = course.limits_of(source.assignment)
    began = time.monotonic()
    fault = ""
    for _ in range(tries):
        try:
            results, outputs = _attempt(course, submission, student, limits, shows or course.shows, tasks)
            break
        except MachineError as error:
            fault = str(error)
    else:
        results, outputs = grading.ungraded(source.name, source.points, fault), {}
    seconds = time.monotonic() - began
    faults = [line.fault for task in results.values() for line in task.lines if line.status == "ungraded"]
    return Verdict(
        source.assignment,
        source.name,
        student,
        submission.language,
        results,
        list(submission.notes),
        outputs,
        faults[0] if faults else "",
        seconds,
    )


def _attempt(
    course: Course,
    submission: Submission,
    student: str,
    limits: Limits,
    shows: str,
    tasks: Collection[str] | None,
) -> tuple[dict[str, TaskResult], dict[str, list[NotebookNode]]]:
    attempt = _Attempt(course, submission, student, limits)
    with contextlib.closing(attempt.host), attempt.run(attempt.cells) as own_run:
        results = attempt.grade(own_run, tasks)
        attempt.stopped = dict(own_run.stopped)
        attempt.grade_alone(results)
        attempt.follow_through(results)
        if shows == "all":
            own_run.show({cell.id for cell in attempt.cells})
        elif shows == "lost":
            lost = {slug for slug, result in results.items() if not result.is_full}
            own_run.show(shown_for(attempt.cells, lost))
        outputs = {cell_id: result.outputs for cell_id, result in own_run.results.items()}
    return results, outputs


class _Attempt:
    """One grading of a submission, in as many kernels as it takes.

    Attributes:
        cells: of the notebook.
        stopped: cells that are never run again.
        host: of the functions that the student's code is given.
    """

    def __init__(self, course: Course, submission: Submission, student: str, limits: Limits) -> None:
        self._course = course
        self._submission = submission
        self._source = submission.source
        self._limits = limits
        self._seed = "\n".join((course.secret, submission.source.assignment, student))
        self._deadline = time.monotonic() + limits.submission_seconds
        self.cells = run_cells(submission, limits)
        self._code = "\n".join(cell.source for cell in self.cells)
        self.stopped: dict[str, str] = {}
        self.host = ProxyHost(self._start_host, limits.answer_seconds)
        self._lost: set[str] = set()  # tasks that hung or ended their kernel, or build on one that did
        self._has_lost = False

    def run(self, cells: Sequence[RunCell]) -> NotebookRun:
        """Return a run of some cells in a kernel of its own."""
        return NotebookRun(
            cells,
            self._limits,
            self._course.backend,
            self._submission.files,
            deadline=self._deadline,
            stopped=dict(self.stopped),
            hidden=self._hidden,
            accepted=self._course.unsafe_allow_missing,
            host=self.host,
        )

    def _start_host(self) -> KernelSession:
        accepted = self._course.unsafe_allow_missing
        return KernelSession(self._limits, self._course.backend, {}, self._hidden, accepted).__enter__()

    @property
    def _hidden(self) -> tuple[str, ...]:
        return (str(self._course.root),)

    def grade(self, run: NotebookRun, tasks: Collection[str] | None) -> dict[str, TaskResult]:
        """Execute a run's cells and put the graders' questions about some tasks, None for all."""
        run.execute()
        unfinished = {
            name: (str(output.get("ename", "")), str(output.get("evalue", "")))
            for cell_id, names in self._source.defined_names.items()
            if cell_id in run.results and run.results[cell_id].exit == "error"
            for output in run.results[cell_id].outputs
            if output.output_type == "error"
            for name in names
        }
        probes: dict[str, KernelProbe] = {}

        def probe_of(task: str) -> KernelProbe:
            # what hung or died once would do so again in everything that calls it: leave that to follow-through
            before = [probes[b].lost for b in grading.predecessors(self._source.name, task) if b in probes]
            own = run.stopped.get(f"task-{task}")
            lost = stop_error(own, self._limits.cell_seconds) if own else next(filter(None, before), None)
            pairs = self._limits.training_pairs
            probes[task] = KernelProbe(run.ask, lambda: run.generation, self._code, lost, pairs, unfinished, self.host)
            return probes[task]

        results = grading.run_graders(self._source.name, self._source.points, probe_of, self._seed, tasks)
        _raise_if_machine_failed(results)
        self._lost.update(task for task, probe in probes.items() if probe.lost)
        self._has_lost = self._has_lost or bool(self._lost)
        return results

    def grade_alone(self, results: dict[str, TaskResult]) -> None:
        """Look again at each task that lost its kernel, without what the others' cells may have left in it.

        A thread, a timer or a flood of outputs acts late, and then what is asked at that moment seems to be at fault.
        """
        costly = grading.costly_tasks(self._source.name)
        for task in [task for task in results if task in self._lost and task not in costly]:
            stopped = self.stopped.pop(f"task-{task}", "")
            if self._lost & grading.predecessors(self._source.name, task):  # follow-through looks at it
                if stopped == "timeout":
                    self.stopped[f"task-{task}"] = stopped
                continue
            self._lost.discard(task)
            with self.run(alone(self.cells, {task}, ALONE_SECONDS)) as run:
                results[task] = grading.better(results[task], self.grade(run, {task})[task])
            self.stopped.update(run.stopped)

    def follow_through(self, results: dict[str, TaskResult]) -> None:
        """Look again at each task that lost points, with everything that it builds on replaced by right answers.

        They enter kernels of their own only: what the student's outputs are made in never sees them.
        """
        hung = frozenset(self._lost)
        answers = [cell for cell in self._submission.cells if cell.id in self._source.defined_names]
        same = {_slug(cell) for cell in answers if cell.source.strip() == self._source.reference(_slug(cell)).strip()}
        stubs = {_slug(cell) for cell in answers if "raise NotImplementedError" in cell.source}
        for replaced, tasks in grading.follow_through_plan(self._source.name, results, same, stubs).items():
            left = tasks
            # a student's code fits either its own functions' kind of arrays or the reference's: the better one counts
            for imitate in (False,) if hung & (replaced | tasks) else (True, False):
                if not left:
                    break
                cells = run_cells(self._submission, self._limits, replaced, imitate=imitate)
                with self.run(alone(cells, left, ALONE_SECONDS) if self._has_lost else cells) as run:
                    again = self.grade(run, left)
                for slug in left:
                    results[slug] = grading.with_follow_through(results[slug], again[slug])
                # another kind of arrays helps code that raised, not code that computes something else
                left = {slug for slug in left if any(line.raised for line in again[slug].lines)}


def _slug(cell: NotebookNode) -> str:
    return cell.id.removeprefix("task-")


def _raise_if_machine_failed(results: Mapping[str, TaskResult]) -> None:
    for result in results.values():
        for line in result.lines:
            if line.status == "ungraded" and line.fault.startswith("MachineError"):
                raise MachineError(line.fault)
