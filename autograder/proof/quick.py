"""Catalogue entries that compute with NumPy alone, graded in this process: no kernel, no seal, no second process.

For while one writes a rubric or an entry. Such an entry only computes, so its lines say here what they say in a sealed kernel; the
proof is `autograder check` without `--quick` all the same.
"""

from __future__ import annotations

import contextlib
import io
import re
import signal
import time
import warnings
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import FrameType, SimpleNamespace
from typing import Any

from autograder.grading import Given
from autograder.grading import runner as grading
from autograder.grading.naming import has_record, with_name, with_name_by_sentence
from autograder.grading.runner import TaskResult
from autograder.kernels.channel import packed, unpacked
from autograder.kernels.notebook_run import stop_error
from autograder.kernels.probe import KernelProbe
from autograder.kernels.resident import serving as resident
from autograder.proof.check import (
    QUESTIONS,
    Case,
    CaseResult,
    Tally,
    cases_of,
    graded_tasks,
    judged,
    submission_of,
    with_its_limits,
)
from autograder.sources.course import Course, Limits
from autograder.sources.notebooks import NotebookSource
from autograder.submissions.cells import run_cells
from autograder.submissions.evaluation import practice_seed
from autograder.submissions.explaining import telling_lines
from autograder.submissions.intake import Submission
from autograder.submissions.verdicts import Verdict

_OF_FRAMEWORKS = re.compile(r"\b(keras|ops|tf|tensorflow|jax|jnp|torch)\b")


def quick_cases(course: Course, assignment: str, only: str = "") -> list[Case]:
    """Return an assignment's mistakes and alternatives whose own cells name no framework.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        only: words, separated by commas; a case whose `kind:id` contains none of them is left out.
    """
    cases = [case for case in cases_of(course, assignment, only=only) if case.kind in ("mistake", "alternative")]
    return [case for case in cases if not any(map(_OF_FRAMEWORKS.search, _own_cells(course, case).values()))]


def check_quickly(
    course: Course, assignments: Iterable[str], only: str = "", tell: Callable[[CaseResult], None] | None = None
) -> list[Tally]:
    """Grade the quick cases of the assignments, one after another.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments.
        only: words, separated by commas; only cases whose `kind:id` contains one of them are run.
        tell: called with each result, as soon as there is one.
    """
    course = replace(course, secret=QUESTIONS)
    tallies = []
    for assignment in assignments:
        tallies.append(Tally(assignment))
        for case in quick_cases(course, assignment, only):
            tallies[-1].results.append(run_quickly(course, case))
            if tell:
                tell(tallies[-1].results[-1])
    return tallies


def run_quickly(course: Course, case: Case) -> CaseResult:
    """Grade the tasks whose cells a case holds, and hold their verdict against what it must be."""
    began = time.monotonic()
    source = course.source(case.assignment)
    submission, _ = submission_of(source, case)
    here = InProcess(source, submission, with_its_limits(course, case).limits_of(case.assignment))
    seed = "\n".join((course.secret, case.assignment, f"check-{case.id}"))
    tasks = graded_tasks(course, case) & set(_own_cells(course, case))
    results, _ = here.grade(seed, tasks)
    lost = {line for result in results.values() for line in telling_lines(result)}
    if lost and has_record(source.folder):
        practised, probes = here.grade(practice_seed(submission), tasks, lost)
        results = {
            slug: with_name(source, result, practised[slug], probes[slug].answers) for slug, result in results.items()
        }
    results = {slug: with_name_by_sentence(source, result) for slug, result in results.items()}
    verdict = Verdict(case.assignment, source.name, f"check-{case.id}", submission.language, results)
    return replace(judged(source, case, verdict), seconds=time.monotonic() - began)


class InProcess:
    """A submission whose cells have run in this process, to be graded in it. It is no student's.

    Args:
        source: the source of the assignment's notebook.
        submission: what was handed in.
        limits: the assignment's limits, of which only the seconds for an answer count.
        listen: called after each question with the task, the rubric line, the request to the kernel's resident and the reply.
    """

    def __init__(
        self,
        source: NotebookSource,
        submission: Submission,
        limits: Limits,
        listen: Callable[[str, str, Mapping[str, Any], Mapping[str, Any]], None] | None = None,
    ) -> None:
        self._source = source
        self._limits = limits
        self._listen = listen
        self._unfinished: dict[str, tuple[str, str]] = {}
        shell = _Shell()
        resident.install(shell)
        with _silence():
            for cell in run_cells(submission, limits):
                if cell.is_needed:
                    try:
                        exec(compile(cell.source, f"<{cell.id}>", "exec"), shell.user_ns)
                    except Exception as error:  # noqa: BLE001  (a mistake may raise anything)
                        told = type(error).__name__, str(error)
                        self._unfinished |= dict.fromkeys(source.defined_names.get(cell.id, ()), told)

    def grade(
        self, seed: str, tasks: Collection[str], lines: Collection[str] | None = None
    ) -> tuple[dict[str, TaskResult], dict[str, KernelProbe]]:
        """Put the graders' questions about some tasks.

        Args:
            seed: what the questions depend on.
            tasks: slugs.
            lines: ids of the only lines whose questions are put, and whose answers are kept (default: all).

        Returns:
            Task slug -> result, and task slug -> the probe that asked.
        """
        probes: dict[str, KernelProbe] = {}

        def probe_of(task: str) -> KernelProbe:
            ask = partial(self._ask, lambda: (task, probes[task].line))
            pairs, host, keeps = self._limits.training_pairs, _Host(ask), lines is not None
            probes[task] = _Probe(ask, lambda: 1, "", None, pairs, self._unfinished, host, keeps_answers=keeps)
            return probes[task]

        with _silence():
            return grading.run_graders(self._source, probe_of, seed, tasks, lines), probes

    def _ask(self, where: Callable[[], tuple[str, str]], request: Mapping[str, Any]) -> dict[str, Any]:
        with _clock(self._limits.answer_seconds) as is_over:
            reply: dict[str, Any] = unpacked(resident.answer(packed(request)))
        if is_over():
            raise stop_error("timeout", self._limits.answer_seconds)
        if self._listen:
            self._listen(*where(), request, reply)
        return reply


def _own_cells(course: Course, case: Case) -> Mapping[str, str]:
    """Return task slug -> source of the cells that a case doesn't share with the solution."""
    folder = course.source(case.assignment).folder
    if case.kind == "mistake":
        mistake = grading.mistakes_of(folder)[case.id]
        return {mistake.task: mistake.code}
    return grading.alternatives_of(folder)[case.id].cells


class _Shell(SimpleNamespace):
    """As much of IPython's shell as the resident uses."""

    def __init__(self) -> None:
        transformers = ("ast_transformers", "input_transformers_cleanup", "input_transformers_post")
        events = SimpleNamespace(register=lambda *_: None)
        super().__init__(user_ns={"__name__": "__main__"}, execution_count=1, kernel=None, events=events)
        vars(self).update({name: [] for name in transformers})


class _Host:
    """What is offered lives in this process too."""

    generation = 1

    def __init__(self, ask: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
        self._ask = ask

    def define(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Have a function made and return the reply."""
        return self._ask(request)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a question about what was made."""
        return self._ask(request)


class _Probe(KernelProbe):
    """A probe whose offered functions are handed over themselves: there is no other kernel to hide them in."""

    def offer(self, source: str, name: str, *args: Any, **kwargs: Any) -> Given:
        """See `grading.Probe.offer`."""
        return self.define(source, name, *args, **kwargs)


@contextlib.contextmanager
def _silence() -> Generator[None]:
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class _TimeIsUp(BaseException):
    """Raised wherever the code is that takes too long."""


@contextlib.contextmanager
def _clock(seconds: float) -> Generator[Callable[[], bool]]:
    """Raise `_TimeIsUp` in the block once the seconds are over; what is yielded tells afterwards whether they were."""
    is_over = False

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal is_over
        is_over = True
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield lambda: is_over
    except _TimeIsUp:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
