"""Graders' questions about a submission, put to a run of its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.base.errors import AnswerTimeout
from autograder.grading import runner
from autograder.grading.follow_through import share_wrong
from autograder.grading.runner import TaskResult
from autograder.kernels.notebook_run import NotebookRun, RunCell, stop_error
from autograder.kernels.probe import KernelProbe
from autograder.sources.grading import Grading
from autograder.submissions.cells import is_only_stub
from autograder.submissions.explaining import PRACTICE_PAIRS
from autograder.submissions.submission import Submission

IMPATIENCE = 0.3  # of an answer's seconds, for what is asked again only to be explained after something was stopped


class Questioning:
    """One round of questions about some tasks, each of which gets a probe of its own.

    Attributes:
        probes: slug of a task -> the task's probe.
        results: slug of a task -> what became of its lines.
    """

    def __init__(
        self,
        run: NotebookRun,
        grading: Grading,
        submission: Submission,
        cells: Sequence[RunCell],
        *,
        practises: bool,
        may_put_off: bool,
    ) -> None:
        """Prepare a round.

        Args:
            run: the run that is asked; its cells have been executed.
            grading: how the assignment is graded.
            submission: what was handed in.
            cells: the submission's code cells, in order.
            practises: whether the answers explain lost lines, and no points depend on them.
            may_put_off: whether a training that no trial decides is left for later, if something before it is wrong.
        """
        self.probes: dict[str, KernelProbe] = {}
        self.results: dict[str, TaskResult] = {}
        self._run = run
        self._source = grading.source
        self._limits = grading.limits
        self._submission = submission
        self._cells = cells
        self._code = "\n".join(cell.source for cell in cells)
        self._practises = practises
        self._may_put_off = may_put_off
        self._has_hung = False
        self._unfinished = {
            name: error
            for cell_id, names in self._source.defined_names.items()
            if cell_id in run.results and run.results[cell_id].exit == "error" and (error := run.results[cell_id].error)
            for name in names
        }

    def put(self, seed: str, tasks: Collection[str] | None, lines: Collection[str] | None = None) -> None:
        """Put the questions.

        Args:
            seed: what the questions' random inputs depend on.
            tasks: slugs of the tasks that are asked about, None for all.
            lines: ids of the lines that are asked, as if those that they need had been earned; None for all.
        """
        wanted = [slug for slug in self._source.points if tasks is None or slug in tasks]
        costly = [slug for slug in wanted if slug in self._source.costly]
        # whether a costly task is put off depends on what came of the others
        for group in ([slug for slug in wanted if slug not in costly], *([slug] for slug in costly)):
            if group:
                self.results |= runner.run_graders(self._source, self._probe_of, seed, group, lines)
        self.results = {slug: self.results[slug] for slug in wanted}

    def _probe_of(self, task: str) -> KernelProbe:
        # what hung or died once would do so again in everything that calls it: leave that to follow-through
        before = [self.probes[b].lost for b in self._source.predecessors(task) if b in self.probes]
        own = self._run.stopped.get(f"task-{task}")
        pairs = self._limits.training_pairs
        self.probes[task] = KernelProbe(
            self._ask,
            lambda: self._run.generation,
            self._code,
            stop_error(own, self._limits.cell_seconds) if own else next(filter(None, before), None),
            min(pairs, PRACTICE_PAIRS) if self._practises else pairs,
            self._unfinished,
            self._run.host,
            self._run.renew,
            keeps_answers=self._practises,
            wrong_before=lambda: self._share_wrong_before(task) if self._may_put_off else 0.0,
        )
        return self.probes[task]

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask the run; of practice, an answer that hung shortens what the others may take."""
        try:
            return self._run.ask(request)
        except AnswerTimeout:
            if self._practises and not self._has_hung:  # once was long enough
                limits = self._run.limits
                self._run.limits = replace(limits, answer_seconds=limits.answer_seconds * IMPATIENCE)
            self._has_hung = True
            raise

    def _share_wrong_before(self, task: str) -> float:
        """Return how much of what a task builds on is known to be wrong, from 0 (nothing) to 1."""
        if is_only_stub(self._submission, self._cells, task):  # its answer is known at once
            return 0.0
        is_carried_wrong = self._source.costly.get(task) in self.probes[task].missed
        before = self._source.predecessors(task)
        return share_wrong(before, self.results, is_carried_wrong=is_carried_wrong)
