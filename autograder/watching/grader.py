"""Warm workers that grade one submission after another for as long as the watch lasts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.base.errors import SubmissionError
from autograder.gradebook.handins import HandIn
from autograder.kernels import warm
from autograder.scheduling.cache import VerdictCache
from autograder.scheduling.class_grading import QUEUED_PER_WORKER, new_pool
from autograder.scheduling.fingerprint import verdict_key
from autograder.scheduling.jobs import Job, job_seconds, run_job
from autograder.scheduling.pool_base import Pool, Ticket
from autograder.sources.course import LOCAL, Course
from autograder.submissions.evaluation import verdict_on_unreadable
from autograder.submissions.intake import take_in
from autograder.submissions.verdicts import Verdict, leave_ungraded, refuse, unpack


@dataclass(frozen=True)
class GradedHandIn:
    """A hand-in and the verdict on it, which the cache keeps unless it is a refusal or ungraded."""

    handin: HandIn
    verdict: Verdict


class WarmGrader:
    """Workers, started once. Verdicts go into the cache in which `nbgrader autograde` looks for them."""

    def __init__(self, course: Course, warn: Callable[[str], None]) -> None:
        """Prepare; workers start when they are first needed, or with `warm_up`.

        Args:
            course: the course whose sources and configuration are used.
            warn: called with a sentence about each failure that did no harm.
        """
        self._course = course
        self._warn = warn
        self._cache = VerdictCache(course.root)
        self._pool: Pool | None = None
        self._tickets: dict[Ticket, tuple[HandIn, Job]] = {}
        self._ready: list[GradedHandIn] = []

    def close(self) -> None:
        """End the workers; what they are at is begun again by the next watch."""
        if self._pool is not None:
            self._pool.close()
            self._pool = None

    def warm_up(self) -> None:
        """Have the framework imported before the first submission comes."""
        if self._course.scheduler == LOCAL:
            warm.own_warm_process(self._course.backend)

    @property
    def at(self) -> list[HandIn]:
        """What is being graded, or is graded and not taken yet."""
        return [handin for handin, _ in self._tickets.values()] + [graded.handin for graded in self._ready]

    @property
    def room(self) -> int:
        """How many more may be begun, so that no worker is ever idle and nothing waits long in the wrong order."""
        pool = self._workers()
        return max(0, QUEUED_PER_WORKER * pool.workers - len(self.at))

    def begin(self, handin: HandIn, notebook: Path) -> None:
        """Begin to grade a submission.

        Args:
            handin: the version that is to be graded.
            notebook: the expected notebook's path in `submitted/`, there or not.

        Raises:
            SealError, CourseError: nothing can be graded here.
        """
        course, assignment, student = self._course, handin.assignment, handin.student
        taken = take_in(notebook, course, assignment)
        if (verdict := verdict_on_unreadable(taken, student)) is not None:
            self._ready.append(GradedHandIn(handin, verdict))
            return
        job = Job.of(course.grading_of(assignment, student), taken.submission)
        try:
            key = verdict_key(job.grading, job.submission())
        except SubmissionError as error:  # what repair added makes it too long
            self._ready.append(GradedHandIn(handin, refuse(taken.submission, student, error.text)))
            return
        kept = self._cache.read(assignment, student, key)
        if kept is not None:
            self._ready.append(GradedHandIn(handin, kept))
            return
        ticket = self._workers().submit(run_job, job, key, seconds=job_seconds(job.grading.limits))
        self._tickets[ticket] = (handin, job)

    def take_graded(self) -> list[GradedHandIn]:
        """Return what was graded since the last time, after waiting a second at most if something is being graded.

        Raises:
            SealError, CourseError: nothing can be graded here.
        """
        finished = self._workers().finished() if self._ready else self._workers().wait_briefly()
        done = self._ready + [self._settled(ticket) for ticket in finished]
        self._ready = []
        return done

    def _settled(self, ticket: Ticket) -> GradedHandIn:
        handin, job = self._tickets.pop(ticket)
        assert ticket.outcome is not None
        if ticket.outcome.fault:
            return GradedHandIn(handin, leave_ungraded(job.submission(), handin.student, ticket.outcome.fault))
        verdict = unpack(ticket.outcome.value)[1]
        if not verdict.ungraded:
            try:
                self._cache.write(handin.assignment, handin.student, ticket.outcome.value)
            except OSError as error:
                self._warn(f"{handin.student}: the verdict could not be kept: {error}")
        return GradedHandIn(handin, verdict)

    def _workers(self) -> Pool:
        self._pool = self._pool or new_pool(self._course, self._course.worker_count, self._warn)
        return self._pool
