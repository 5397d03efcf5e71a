"""Verdicts in the order in which they are asked for, while workers already grade the submissions that come next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.base.errors import AutograderError
from autograder.kernels.warm import close_all as close_warm_processes
from autograder.scheduling.cache import VerdictCache
from autograder.scheduling.cluster import ClusterPool
from autograder.scheduling.fingerprint import verdict_key
from autograder.scheduling.jobs import Job, job_seconds, run_job
from autograder.scheduling.pool import WorkerPool
from autograder.scheduling.pool_base import Pool, Ticket
from autograder.sources.course import LOCAL, Course
from autograder.submissions.submission import Submission
from autograder.submissions.verdicts import Verdict, leave_ungraded, unpack

WINDOW = 128  # submissions beyond the last one asked for that are looked at, at least
QUEUED_PER_WORKER = 2  # calls that wait or run at once
HELD_BYTES = 256 << 20  # of verdicts that nobody has asked for yet


@dataclass(frozen=True)
class SubmissionId:
    """Which submission: one student's for one assignment."""

    assignment: str
    student: str


@dataclass(frozen=True)
class GradedSubmission:
    """A verdict that was asked for, and whether an earlier run made it."""

    verdict: Verdict
    is_stored: bool = False


class GradingAhead:
    """Grades a class: submissions ahead of the one that is asked for are read, looked up or given to workers.

    The workers are processes of this machine, or those of the course's cluster: a single submission is given to one too, for
    what hangs in this process nobody ends. Leave the context to end the workers; verdicts that nobody asked for by then are
    kept for the next run.
    """

    def __init__(
        self,
        course: Course,
        due: Sequence[SubmissionId],
        read: Callable[[SubmissionId], Job | None],
        *,
        workers: int,
        use_stored: bool = True,
        on_graded: Callable[[SubmissionId], None] = lambda submission_id: None,
        warn: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Prepare; nothing starts before the context is entered.

        Args:
            course: the course, which says what scheduler and backend to use.
            due: the submissions that will probably be asked for, in order.
            read: returns a submission, or None if the files can't be read; an exception costs no grade, only the time gained.
            workers: number of processes of this machine, where there is no cluster.
            use_stored: whether verdicts of earlier runs are used again; new verdicts are stored in any case.
            on_graded: called once a verdict is there, in any order.
            warn: called with a sentence about each failure that did no harm.
        """
        self._course = course
        self._due = list(due)
        self._positions = {submission_id: position for position, submission_id in enumerate(due)}
        self._read = read
        self._workers = max(1, min(workers, len(due)))
        self._use_stored = use_stored
        self._on_graded = on_graded
        self._warn = warn
        self._cache = VerdictCache(course.root)
        self._pool: Pool | None = None
        self._ahead: dict[SubmissionId, tuple[str, Ticket]] = {}  # not asked for yet; each with its verdict's key
        self._unsettled: dict[Ticket, SubmissionId] = {}
        self._next = 0  # index in `_due` of the next submission to give to the workers
        self._asked = 0  # index in `_due` after the last submission that was asked for

    def __enter__(self) -> GradingAhead:
        self._fill()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._pool is not None:
                self._store_finished(self._pool.finished())
        except AutograderError:
            pass  # whoever asked has been told
        finally:
            if self._pool is not None:  # else the warm processes of this process are somebody else's
                self._pool.close()
                close_warm_processes()

    def verdict(self, job: Job) -> GradedSubmission:
        """Return the verdict on a submission as it is now, whatever was graded ahead.

        Raises:
            SealError, CourseError: nothing can be graded.
            SubmissionError: the repaired notebook can't be read again.
        """
        submission_id = SubmissionId(job.grading.assignment, job.grading.student)
        submission = job.submission()
        key = verdict_key(job.grading, submission)
        if submission_id in self._positions:
            self._asked = max(self._asked, self._positions[submission_id] + 1)
            self._next = max(self._next, self._asked)
        ahead_key, ticket = self._ahead.pop(submission_id, ("", None))
        if ticket is None or ahead_key != key:
            stored = self._stored(submission_id, key)
            if stored is not None:
                self._fill()
                self._on_graded(submission_id)
                return GradedSubmission(stored, is_stored=True)
            ticket = self._submit(submission_id, job, key)
        verdict = self._wait(ticket, submission, submission_id.student)
        self._on_graded(submission_id)
        return GradedSubmission(verdict)

    def _wait(self, ticket: Ticket, submission: Submission, student: str) -> Verdict:
        """Return a worker's verdict."""
        assert self._pool is not None
        self._fill()
        while ticket.outcome is None:
            self._store_finished(self._pool.wait())
            self._fill()
        if ticket.outcome.fault:
            return leave_ungraded(submission, student, ticket.outcome.fault)
        return unpack(ticket.outcome.value)[1]

    def _fill(self) -> None:
        """Give the workers what comes next, as far as it fits."""
        window = max(WINDOW, 2 * QUEUED_PER_WORKER * self._worker_count)
        while self._next < min(len(self._due), self._asked + window) and self._has_room():
            submission_id = self._due[self._next]
            self._next += 1
            try:
                job = self._read(submission_id)
                if job is None:
                    continue
                key = verdict_key(job.grading, job.submission())
            except Exception:  # noqa: BLE001  (it is raised again when this submission's turn comes)
                continue
            if self._stored(submission_id, key) is not None:
                continue
            self._ahead[submission_id] = (key, self._submit(submission_id, job, key))

    def _has_room(self) -> bool:
        if self._pool is None:
            return True
        held = sum(len(t.outcome.value or b"") for _, t in self._ahead.values() if t.outcome is not None)
        return self._pool.unfinished < QUEUED_PER_WORKER * self._worker_count and held < HELD_BYTES

    @property
    def _worker_count(self) -> int:
        return self._pool.workers if self._pool else self._workers

    def _submit(self, submission_id: SubmissionId, job: Job, key: str) -> Ticket:
        self._pool = self._pool or new_pool(self._course, self._workers, self._warn)
        ticket = self._pool.submit(run_job, job, key, seconds=job_seconds(job.grading.limits))
        self._unsettled[ticket] = submission_id
        return ticket

    def _store_finished(self, tickets: Sequence[Ticket]) -> None:
        for ticket in tickets:
            submission_id = self._unsettled.pop(ticket)
            assert ticket.outcome is not None
            if not ticket.outcome.fault and not unpack(ticket.outcome.value)[1].ungraded:
                self._store(submission_id, ticket.outcome.value)
            self._on_graded(submission_id)

    def _stored(self, submission_id: SubmissionId, key: str) -> Verdict | None:
        return self._cache.read(submission_id.assignment, submission_id.student, key) if self._use_stored else None

    def _store(self, submission_id: SubmissionId, packed: bytes) -> None:
        try:
            self._cache.write(submission_id.assignment, submission_id.student, packed)
        except OSError as error:
            self._warn(f"{submission_id.student}: the verdict could not be kept for the next run: {error}")


def new_pool(course: Course, workers: int, warn: Callable[[str], None]) -> Pool:
    """Return where a course's submissions are graded: processes of this machine, or the course's cluster.

    Args:
        course: the course whose sources and configuration are used.
        workers: number of processes of this machine, where there is no cluster.
        warn: called with a sentence about each failure that did no harm.
    """
    if course.scheduler == LOCAL:
        return WorkerPool(workers, course.backend)
    return ClusterPool(course.scheduler, course.backend, warn)
