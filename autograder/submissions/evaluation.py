"""One submission from file to verdict: read, repair, execute, grade, follow through."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing.util import Finalize
from pathlib import Path

from nbformat import NotebookNode

from autograder.base.errors import MachineError
from autograder.grading import runner
from autograder.grading.follow_through import (
    about_carried_work,
    better,
    follow_through_plan,
    ways_to_replace,
    with_earned_before,
    with_follow_through,
)
from autograder.grading.naming import Answers, has_record, with_name, with_name_by_sentence, with_sentences
from autograder.grading.runner import TaskResult
from autograder.kernels.notebook_run import NotebookRun, RunCell
from autograder.kernels.proxies import ProxyHost
from autograder.kernels.session import Kernels, KernelSession
from autograder.kernels.shared import SharedKernels
from autograder.kernels.warm import start_ahead
from autograder.sources.course import Course
from autograder.sources.grading import Grading
from autograder.submissions.cells import (
    can_be_offered,
    is_only_stub,
    needed_by,
    others_before,
    reference_tasks,
    run_cells,
    shown_for,
    stub_tasks,
)
from autograder.submissions.explaining import (
    as_unwritten,
    explained,
    explained_as_before,
    lines_to_explain,
)
from autograder.submissions.intake import Intake, take_in
from autograder.submissions.questioning import Questioning
from autograder.submissions.seeds import practice_seed, seed_of
from autograder.submissions.submission import Submission
from autograder.submissions.verdicts import Verdict, leave_ungraded, refuse

MACHINE_TRIES = 2
ALONE_SECONDS = 10.0  # for a cell of a task that is looked at again without the others

# of this process: what runs in them is the course's own, so one submission after the other can use them
_HOSTS = SharedKernels(max_idle=1)
Finalize(None, _HOSTS.close, exitpriority=200)  # with this process they end, and their folders go


def grade_file(course: Course, assignment: str, path: Path, student: str) -> tuple[Submission, Verdict]:
    """Grade one submitted notebook file.

    Returns:
        The repaired submission (empty answers if the file can't be read) and its verdict, ungraded if that was the
        machine's failure.
    """
    start_ahead(course.backend)
    taken = take_in(path, course, assignment)
    if verdict := verdict_on_unreadable(taken, student):
        return taken.submission, verdict
    return taken.submission, grade(course.grading_of(assignment, student), taken.submission)


def verdict_on_unreadable(taken: Intake, student: str) -> Verdict | None:
    """Return the verdict on what couldn't be read; None if it could."""
    if taken.refused:
        return refuse(taken.submission, student, taken.refused)
    return leave_ungraded(taken.submission, student, taken.unread) if taken.unread else None


def grade(
    grading: Grading, submission: Submission, *, tries: int = MACHINE_TRIES, kernels: Kernels = KernelSession
) -> Verdict:
    """Execute and grade a repaired submission: in this process, in a worker or on a cluster.

    Args:
        grading: how the assignment is graded: its source, limits, backend and seed.
        submission: what was handed in, repaired.
        tries: number of attempts before a failure of the machine leaves everything ungraded.
        kernels: makes a kernel, called with the arguments of `KernelSession`. By default kernels that no student's code enters are used for
            several submissions.
    """
    source = grading.source
    began = time.monotonic()
    fault = ""
    for _ in range(tries):
        try:
            placed = grading.placed()
            results, outputs = _attempt(_Attempt(placed, replace(submission, source=placed.source), kernels))
            break
        except MachineError as error:
            fault = str(error)
    else:
        results, outputs = runner.ungraded(source, fault), {}
    seconds = time.monotonic() - began
    about_carried = about_carried_work(source, results, lambda: "carry-over" in reference_tasks(submission))
    faults = [line.fault for task in results.values() for line in task.lines if line.status == "ungraded"]
    return Verdict(
        source.assignment,
        source.name,
        grading.student,
        submission.language,
        results,
        [*submission.notes, *([about_carried] if about_carried else [])],
        outputs,
        faults[0] if faults else "",
        seconds,
    )


def practice_answers(
    grading: Grading, submission: Submission, task: str, lines: Collection[str], seed: str = ""
) -> tuple[Answers, set[str]]:
    """Put the practice questions about some of a task's lines to code that isn't a student's.

    Args:
        grading: how the assignment is graded, with limits and backend.
        submission: the code.
        task: slug of the task.
        lines: ids of the lines that are asked, as if the lines that these need had been earned.
        seed: what the questions depend on instead of what practice questions do.

    Returns:
        The answers, line id -> sketches, and the ids of the lines that are missed.

    Raises:
        MachineError: the machine failed.
    """
    grading = grading.placed()
    attempt = _Attempt(grading, replace(submission, source=grading.source))
    with contextlib.closing(attempt.host), attempt.run(attempt.cells) as run:
        run.execute()
        practice = attempt.practise(run, {task}, lines, seed)[task]
    _raise_if_machine_failed({task: practice.result})
    return with_sentences(practice.result, practice.answers), {
        line.id for line in practice.result.lines if line.status == "missed"
    }


@dataclass(frozen=True)
class _Practice:
    """What became of a task's practice questions, and what was answered to them."""

    result: TaskResult
    answers: Answers


def _attempt(attempt: _Attempt) -> tuple[dict[str, TaskResult], dict[str, list[NotebookNode]]]:
    """Grade once.

    What a student reads, outputs and explanations, is made in kernels that have met neither a graded question nor a
    reference, and before any reference enters a kernel. So all that it can tell of them is which lines were lost.
    """
    with contextlib.closing(attempt.host), attempt.run(attempt.cells) as own_run:
        own_run.execute()
        results = attempt.grade(own_run, attempt.grading.tasks, may_put_off=True)
        attempt.stopped = dict(own_run.stopped)
        own_run.close()  # its processes would take room from the kernels that follow
        timed_out = {cell_id for cell_id, result in own_run.results.items() if result.exit == "timeout"}
        attempt.grade_alone(results, timed_out)
        own_run.deadline = attempt.half_of_time_left()
        attempt.explain(own_run, results)
        if attempt.grading.shows == "all":
            own_run.show({cell.id for cell in attempt.cells}, attempt.lost)
        elif attempt.grading.shows == "lost":
            own_run.show(shown_for(attempt.cells, attempt.lost_by_themselves(results)), attempt.lost)
        # a locked cell that waited until now ran beside the student's threads, and whatever they print
        late = {cell.id for cell in attempt.cells if not cell.is_students and not cell.is_needed}
        outputs = {
            cell_id: _shown(cell_id, result.outputs)
            for cell_id, result in own_run.results.items()
            if cell_id not in late
        }
        own_run.close()
        attempt.follow_through(results)
        attempt.grade_put_off(results)
    source = attempt.grading.source
    return {slug: with_name_by_sentence(source, result) for slug, result in results.items()}, outputs


def _shown(cell_id: str, outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return a cell's outputs; of a public check its own sentence and pictures, not what the student's code prints in it."""
    is_check = cell_id.startswith("grade-")
    return [output for output in outputs if not (is_check and output.output_type == "stream")]


class _Attempt:
    """One grading of a submission, in as many kernels as it takes.

    Attributes:
        grading: how the assignment is graded.
        cells: the notebook's code cells, in order.
        stopped: id of a cell that is never run again -> why the cell was stopped.
        host: the kernel that holds the functions which the student's code is given.
        lost: tasks that hung or ended their kernel, or build on one that did.
    """

    def __init__(self, grading: Grading, submission: Submission, kernels: Kernels = KernelSession) -> None:
        self.grading = grading
        self._kernels = kernels
        self._submission = submission
        self._source = grading.source
        self._limits = limits = grading.limits
        self._seed = seed_of(grading, submission)
        self._deadline = time.monotonic() + limits.submission_seconds
        self.cells = run_cells(submission, limits)
        self.stopped: dict[str, str] = {}
        self.host = ProxyHost(self._start_host, limits.answer_seconds)
        self.lost: set[str] = set()
        self._has_lost = False
        self._put_off: set[str] = set()  # tasks whose training waits for what comes of it with right work before it
        self._practised: dict[str, _Practice] = {}

    def run(self, cells: Sequence[RunCell]) -> NotebookRun:
        """Return a run of some cells in a kernel of its own."""
        return NotebookRun(
            cells,
            self._limits,
            self.grading.backend,
            self._submission.files,
            deadline=self._deadline,
            stopped=dict(self.stopped),
            hidden=self.grading.hidden,
            accepted=self.grading.accepted,
            host=self.host,
            kernels=self._kernels,
        )

    def _start_host(self) -> KernelSession:
        about = self.grading
        kernels = _HOSTS if self._kernels is KernelSession else self._kernels
        return kernels(self._limits, about.backend, {}, about.hidden, about.accepted).__enter__()

    def lost_by_themselves(self, results: Mapping[str, TaskResult]) -> set[str]:
        """Return the tasks that lost points though nothing that they build on did: follow-through may clear the others."""
        lost = {slug for slug, result in results.items() if not result.is_full}
        return {slug for slug in lost if not lost & self._source.predecessors(slug)}

    def half_of_time_left(self) -> float:
        """Return when half of the time that the submission has left is over: what is only shown may take that long."""
        now = time.monotonic()
        return now + max(0.0, self._deadline - now) / 2

    def grade(
        self, run: NotebookRun, tasks: Collection[str] | None, *, may_put_off: bool = False
    ) -> dict[str, TaskResult]:
        """Put the graders' questions about some tasks, None for all, to a run whose cells have been executed.

        Args:
            run: the run.
            tasks: slugs of the tasks.
            may_put_off: whether a training that no trial decides is left for later, if something before it is wrong.
        """
        asked = self._questioning(run, practises=False, may_put_off=may_put_off)
        asked.put(self._seed, tasks)
        _raise_if_machine_failed(asked.results)
        self._put_off.update(task for task, probe in asked.probes.items() if probe.was_put_off)
        self.lost.update(task for task, probe in asked.probes.items() if probe.lost)
        self._has_lost = self._has_lost or bool(self.lost)
        return asked.results

    def practise(
        self, run: NotebookRun, tasks: Collection[str], lines: Collection[str], seed: str = ""
    ) -> dict[str, _Practice]:
        """Put the practice questions, or those of another seed, about some lines of some tasks to a run whose cells have been executed."""
        asked = self._questioning(run, practises=True)
        asked.put(seed or practice_seed(self._submission), tasks, lines)
        answers = {slug: probe.answers for slug, probe in asked.probes.items()}
        return {slug: _Practice(asked.results[slug], answers.get(slug, {})) for slug in tasks}

    def explain(self, run: NotebookRun, results: dict[str, TaskResult]) -> None:
        """Put practice questions about the lost lines, and explain and name them by the answers."""
        lines = self._telling(results)
        asked = lines if self.grading.is_secret else self._nameable(results)
        for slug in self._put_off:  # what asks for its training waits with it
            asked[slug] = asked.get(slug, set()) & {self._source.costly[slug]}
        tasks = {slug for slug, found in asked.items() if found}
        if not tasks:
            return
        self.host.close()  # what it offers next has met no graded question either
        practised = self.practise(run, tasks, set().union(*(asked[slug] for slug in tasks)))
        self._practised = practised | self._practised
        for slug in tasks:
            if lines[slug]:
                results[slug] = explained(results[slug], practised[slug].result, lines[slug])
            results[slug] = self._named(results[slug], practised[slug])

    def _named(self, result: TaskResult, practice: _Practice | None) -> TaskResult:
        """Return the result of a task with the name that its practice answers have."""
        if practice is None or not has_record(self._source.folder):
            return result
        return with_name(self._source, result, practice.result, practice.answers)

    def _nameable(self, results: Mapping[str, TaskResult]) -> dict[str, set[str]]:
        """Return task -> lost lines that could have a name."""
        if not has_record(self._source.folder):
            return {}
        costly = self._source.costly
        return {slug: lines_to_explain(result, is_costly=slug in costly) for slug, result in results.items()}

    def _telling(self, results: dict[str, TaskResult]) -> dict[str, set[str]]:
        """Return task -> lines whose explanations could tell of the questions; none of questions that are no secret.

        Stubs that nothing else in the notebook writes are told to be such, whatever became of the questions.
        """
        if not self.grading.is_secret:
            return {slug: set() for slug in results}
        stubs = {slug for slug in results if is_only_stub(self._submission, self.cells, slug)}
        results.update({slug: as_unwritten(results[slug]) for slug in stubs})
        costly = self._source.costly
        return {
            slug: set() if slug in stubs else lines_to_explain(result, is_costly=slug in costly)
            for slug, result in results.items()
        }

    def _questioning(self, run: NotebookRun, *, practises: bool, may_put_off: bool = False) -> Questioning:
        return Questioning(
            run, self.grading, self._submission, self.cells, practises=practises, may_put_off=may_put_off
        )

    def grade_alone(self, results: dict[str, TaskResult], timed_out: Collection[str]) -> None:
        """Look again at each task that lost its kernel, without what the others' cells may have left in it.

        A thread, a timer or a flood of outputs acts late, and then what is asked at that moment seems to be at fault.
        A cell that took too long with no other before it would do so again.

        Args:
            results: what became of all tasks so far; changed.
            timed_out: ids of the cells that took too long themselves.
        """
        costly = self._source.costly
        for task in [task for task in results if task in self.lost and task not in costly]:
            if f"task-{task}" in timed_out and not others_before(self.cells, task):
                continue
            stopped = self.stopped.pop(f"task-{task}", "")
            if self.lost & self._source.predecessors(task):  # follow-through looks at it
                if stopped == "timeout":
                    self.stopped[f"task-{task}"] = stopped
                continue
            self.lost.discard(task)
            with self.run(needed_by(self.cells, {task}, ALONE_SECONDS)) as run:
                run.execute()
                results[task] = better(results[task], self.grade(run, {task})[task])
            self.stopped.update(run.stopped)

    def follow_through(self, results: dict[str, TaskResult]) -> None:
        """Look again at each task that lost points, with everything that it builds on replaced by right answers.

        They enter kernels of their own only: what the student's outputs are made in never sees them.
        """
        hung, first = frozenset(self.lost), dict(results)
        same, stubs = reference_tasks(self._submission), stub_tasks(self._submission)
        for replaced, tasks in follow_through_plan(self._source, results, same, stubs).items():
            left, again = tasks, results
            for instead, imitate in ways_to_replace(replaced, tasks, first, hung):
                # code may use what the references lack, an attribute of its own layer: then it raises with them alone
                if instead != replaced:
                    left = {slug for slug in left if again[slug].raised - first[slug].raised}
                if not left:
                    break
                again = self._grade_with(instead, left, first, results, imitate=imitate)
                # another kind of arrays helps code that raised, not code that computes something else
                left = {slug for slug in left if again[slug].raised}

    def _grade_with(
        self,
        replaced: frozenset[str],
        tasks: Collection[str],
        first: Mapping[str, TaskResult],
        results: dict[str, TaskResult],
        *,
        imitate: bool,
    ) -> dict[str, TaskResult]:
        """Grade some tasks with others replaced by right answers; where that earns more, it is the result.

        Args:
            replaced: slugs of the tasks that are replaced.
            tasks: slugs of the tasks to grade.
            first: what became of the tasks with everything as it was handed in.
            results: what became of all tasks so far; changed.
            imitate: make the right answers return arrays, lists or tensors as the student's own do.

        Returns:
            What became of the tasks now.
        """
        offered = can_be_offered(self._source, replaced, tasks)
        cells = run_cells(self._submission, self._limits, replaced, imitate=imitate, offered=offered)
        with self.run(needed_by(cells, tasks, ALONE_SECONDS) if self._has_lost else cells) as run:
            run.execute()
            again = self.grade(run, tasks)
            merged = {slug: with_earned_before(first[slug], again[slug]) for slug in tasks}
            followed = {s: r for s in tasks if (r := better(results[s], merged[s])) is merged[s]}
            if offered:  # the kernels hold no reference
                run.close()
                self.explain(run, followed)
            else:
                for slug, lines in self._telling(followed).items():
                    before = self._practised.get(slug)
                    practised = before.result if before else None
                    followed[slug] = explained_as_before(followed[slug], practised, lines)
                    if practised and not practised.raised:
                        followed[slug] = self._named(followed[slug], before)
        for slug, result in followed.items():
            results[slug] = with_follow_through(results[slug], result)
        return again

    def grade_put_off(self, results: dict[str, TaskResult]) -> None:
        """Grade what was put off, unless it earns everything with right work before it: with the work as it was handed in.

        References have been in other kernels meanwhile, so nothing is explained.
        """
        for slug in sorted(slug for slug in self._put_off if not results[slug].is_full):
            with self.run(needed_by(self.cells, {slug}, ALONE_SECONDS) if self._has_lost else self.cells) as run:
                run.execute()
                first = self.grade(run, {slug})
            lines, before = self._telling(first), self._practised.get(slug)
            first[slug] = explained_as_before(first[slug], before.result if before else None, lines[slug])
            results[slug] = with_follow_through(first[slug], results[slug])


def _raise_if_machine_failed(results: Mapping[str, TaskResult]) -> None:
    for result in results.values():
        for line in result.lines:
            if line.kind == "machine":
                raise MachineError(line.fault)
