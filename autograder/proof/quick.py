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

from autograder.grading import KernelObject
from autograder.grading import runner as grading
from autograder.grading.naming import has_record, with_name, with_name_by_sentence
from autograder.grading.runner import TaskResult
from autograder.kernels.channel import unpacked
from autograder.kernels.notebook_run import stop_error
from autograder.kernels.probe import KernelProbe
from autograder.kernels.resident import serving as resident
from autograder.kernels.resident import state
from autograder.kernels.resident.wire import packed
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
from autograder.submissions.explaining import lines_to_explain
from autograder.submissions.seeds import practice_seed
from autograder.submissions.submission import Submission
from autograder.submissions.verdicts import Verdict

_OF_FRAMEWORKS = re.compile(r"\b(keras|ops|tf|tensorflow|jax|jnp|torch)\b")


def quick_cases(course: Course, assignment: str, only: str = "", draws: int = 1) -> list[Case]:
    """Return an assignment's mistakes and alternatives whose own cells name no framework, and its solution if there are draws.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        only: words, separated by commas; a case whose `kind:id` contains none of them is left out.
        draws: how often each case is to be graded; from two on the solution in the course's first language is a case too,
            whatever it imports.
    """

    def is_quick(case: Case) -> bool:
        if case.kind == "solution":
            return draws > 1 and case.id == course.languages[0]
        return case.kind != "release" and not any(map(_OF_FRAMEWORKS.search, _own_cells(course, case).values()))

    return list(filter(is_quick, cases_of(course, assignment, only=only)))


def check_quickly(
    course: Course,
    assignments: Iterable[str],
    only: str = "",
    tell: Callable[[CaseResult], None] | None = None,
    draws: int = 1,
) -> list[Tally]:
    """Grade the quick cases of the assignments, one after another.

    Args:
        course: the course whose sources and configuration are used.
        assignments: ids of the assignments.
        only: words, separated by commas; only cases whose `kind:id` contains one of them are run.
        tell: called with each result, as soon as there is one.
        draws: how often each case is graded, each time with other hidden inputs: a verdict must not be a matter of luck.
    """
    course = replace(course, secret=QUESTIONS)
    tallies = []
    for assignment in assignments:
        tallies.append(Tally(assignment))
        for case in quick_cases(course, assignment, only, draws):
            tallies[-1].results.append(run_quickly(course, case, draws))
            if tell:
                tell(tallies[-1].results[-1])
    return tallies


def run_quickly(course: Course, case: Case, draws: int = 1) -> CaseResult:
    """Grade the tasks whose cells a case holds, and hold their verdict against what it must be.

    Of the solution all tasks are graded but those that train.

    Args:
        course: the course whose sources, configuration and secret are used.
        case: what is graded.
        draws: with how many sets of hidden inputs. The result failed or is misnamed if that is so with one of them, and is
            named if it is so with all. The first failure is told.
    """
    began = time.monotonic()
    graded = _QuickCase(course, case)
    results = [graded.result(f"{course.secret}{n or ''}") for n in range(draws)]
    failures = [result.failed for result in results if result.failed]
    often = f" ({len(failures)} of {draws} draws)" if failures and draws > 1 else ""
    return replace(
        results[0],
        failed="".join(failures[:1]) + often,
        named=all(result.named for result in results),
        misnamed=any(result.misnamed for result in results),
        seconds=time.monotonic() - began,
    )


class _QuickCase:
    """A case whose cells have run in this process."""

    def __init__(self, course: Course, case: Case) -> None:
        self._case = case
        self._source = source = course.source(case.assignment)
        self._submission, _ = submission_of(source, case)
        self._here = InProcess(source, self._submission, with_its_limits(course, case).limits_of(case.assignment))
        self._tasks = graded_tasks(course, case) & set(_own_cells(course, case)) - set(source.costly)
        self._practised: dict[frozenset[str], tuple[dict[str, TaskResult], dict[str, KernelProbe]]] = {}

    def result(self, secret: str) -> CaseResult:
        """Return what becomes of the case with the hidden inputs that a secret draws."""
        source, student = self._source, f"check-{self._case.id}"
        results, _ = self._here.grade("\n".join((secret, source.assignment, student)), self._tasks)
        lost = frozenset(line for result in results.values() for line in lines_to_explain(result))
        if lost and has_record(source.folder):
            if lost not in self._practised:
                self._practised[lost] = self._here.grade(practice_seed(self._submission), self._tasks, lost)
            practised, probes = self._practised[lost]
            results = {
                slug: with_name(source, result, practised[slug], probes[slug].answers)
                for slug, result in results.items()
            }
        results = {slug: with_name_by_sentence(source, result) for slug, result in results.items()}
        verdict = Verdict(source.assignment, source.name, student, self._submission.language, results)
        return judged(source, self._case, verdict)


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
                        reason = type(error).__name__, str(error)
                        self._unfinished |= dict.fromkeys(source.defined_names.get(cell.id, ()), reason)

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
            results = grading.run_graders(self._source, probe_of, seed, tasks, lines)
        state.OBJECTS.clear()  # what was made for these questions; a kernel ends with them
        return results, probes

    def _ask(self, where: Callable[[], tuple[str, str]], request: Mapping[str, Any]) -> dict[str, Any]:
        with _clock(self._limits.answer_seconds) as is_over:
            reply: dict[str, Any] = unpacked(resident.answer(packed(request)))
        if is_over():
            raise stop_error("timeout", self._limits.answer_seconds)
        if self._listen:
            self._listen(*where(), request, reply)
        return reply


def _own_cells(course: Course, case: Case) -> Mapping[str, str]:
    """Return task slug -> source of the cells that a case doesn't share with the solution; of the solution all tasks' cells."""
    source = course.source(case.assignment)
    if case.kind == "solution":
        return {slug: source.reference(slug) for slug in source.points}
    folder = source.folder
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

    def offer(self, source: str, name: str, *args: Any, **kwargs: Any) -> KernelObject:
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
