"""The loop: look, take, grade, enter, hand back. Everything that must outlive it is in the gradebook's database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.base.errors import (
    AutograderError,
    CourseError,
    GradebookError,
    LeaseLostError,
    MachineError,
    SealError,
)
from autograder.collecting.collect import collect
from autograder.gradebook.handins import (
    BEYOND,
    FAILED,
    GRADED,
    GRADING,
    WAITING,
    HandIn,
    Ledger,
)
from autograder.gradebook.nbgrader_steps import NbgraderSteps
from autograder.report.record import result_record
from autograder.sources.course import Course
from autograder.watching.grader import GradedHandIn, WarmGrader
from autograder.watching.holder import has_ended
from autograder.watching.notice import write_notice
from autograder.watching.sources import Feedback, FoundVersion, Source
from autograder.watching.spool import Spool
from autograder.watching.turns import Turns, turns

ATTEMPTS = 4
BACK_OFF_SECONDS = 10.0  # after the first failure; each further one doubles it
LONGEST_BACK_OFF_SECONDS = 1800.0
STANDBY_SECONDS = 2.0
IDLE_SECONDS = 0.5

Tell = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class State:
    """What the status page shows.

    Attributes:
        at: time of this state, in seconds since the epoch.
        other: name of the process that holds the course's lease; empty: this process.
        queue: (hand-in that waits, time from which it may be begun, 0.0 for now), in the order of turns.
        grading: hand-ins that are being graded.
        open: hand-ins that are graded or beyond the tries, and not handed back yet.
        given: hand-ins that were handed back last.
        troubles: sentences about what an instructor should look at.
    """

    at: float = 0.0
    other: str = ""
    queue: Sequence[tuple[HandIn, float]] = ()
    grading: Sequence[HandIn] = ()
    open: Sequence[HandIn] = ()
    given: Sequence[HandIn] = ()
    troubles: Sequence[str] = ()


@dataclass
class _Looks:
    """When each assignment was looked at, and what was said of it."""

    due: dict[str, float] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Watch:
    """One process that watches; only the holder of the lease does anything."""

    def __init__(
        self,
        course: Course,
        assignments: Sequence[str],
        source: Source,
        ledger: Ledger,
        nbgrader: NbgraderSteps,
        tell: Tell,
    ) -> None:
        """Prepare.

        Args:
            course: the course whose sources and configuration are used.
            assignments: ids of the assignments.
            source: the place where work comes from and feedback goes to.
            ledger: what was handed in.
            nbgrader: nbgrader's own steps, run in this process.
            tell: called with each event, as JSON-ready data.
        """
        self._course = course
        self._assignments = tuple(assignments)
        self._source = source
        self._ledger = ledger
        self._nbgrader = nbgrader
        self._tell = tell
        self._spool = Spool(course.root)
        self._grader = WarmGrader(course, lambda line: self._say("warning", text=line))
        self._looks = _Looks()
        self._leads = False
        self.state = State()

    def run(self, stop: threading.Event, *, once: bool = False) -> bool:
        """Watch until `stop` is set, or, once, until nothing more can be done now.

        Returns:
            Whether everything found was graded and handed back, or waits for its day; only `once` can tell.

        Raises:
            SealError, CourseError: nothing can be graded here.
            GradebookError: the database can't be used, `once`.
        """
        try:
            if not once:
                self._grader.warm_up()
            while not stop.is_set():
                try:
                    other, is_busy = self.step()
                except LeaseLostError as lost:
                    self._leads = False
                    self._say("lost", text=str(lost))
                    continue
                except GradebookError as error:
                    if once:
                        raise
                    self._leads = False
                    self._say("error", text=str(error))
                    stop.wait(BACK_OFF_SECONDS)
                    continue
                if once and (other or not is_busy):
                    return bool(other) or not self._is_unfinished()
                if other or not is_busy:
                    stop.wait(STANDBY_SECONDS if other else IDLE_SECONDS)
            return True
        finally:
            self._grader.close()

    def step(self) -> tuple[str, bool]:
        """Do one round: look for work, begin it, enter what is graded, hand back.

        Returns:
            The name of another process that holds the lease, empty if this one does; and whether there is more to do at once.
        """
        other = self._ledger.lead(has_ended)
        if other:
            if self._leads or self.state.other != other:
                self._say("standing by", text=f"{other} watches this course")
            self._leads = False
            self.state = State(time.time(), other)
            return other, False
        if not self._leads:
            self._leads = True
            again = self._ledger.recover()
            self._say("watching", assignments=list(self._assignments), again=again)
        for assignment in self._assignments:
            self._look(assignment)
        turns_now = self._turns()
        for handin in turns_now.beyond:
            self._ledger.refuse(handin)
            self._say("beyond", handin)
        for handin in turns_now.ready[: self._grader.room if turns_now.ready else 0]:
            self._begin(handin)
        for graded in self._grader.take_graded() if self._grader.at else ():
            self._enter(graded)
        self._hand_back_all()
        turns_now = self._turns()
        self._publish(turns_now)
        return "", bool(self._grader.at or turns_now.ready)

    # ------------------------------------------------------------------------------------------------------------ steps
    def _look(self, assignment: str) -> None:
        now = time.monotonic()
        if self._looks.due.get(assignment, 0.0) > now:
            return
        try:
            look = self._source.look(assignment)
            known = self._ledger.known(assignment)
            new = [version for version in look.found if (version.student, version.version) not in known]
            notes = [*look.notes, *(fault for version in new if (fault := self._take(assignment, version)))]
            self._looks.failures[assignment] = 0
        except GradebookError:
            raise
        except (AutograderError, OSError) as error:
            self._looks.failures[assignment] = self._looks.failures.get(assignment, 0) + 1
            notes = [f"can't be looked at: {error}"]
        pause = self._source.seconds * 2 ** min(self._looks.failures[assignment], 6)
        self._looks.due[assignment] = now + pause
        before = self._looks.notes.get(assignment, ())
        for note in notes:
            if note not in before:
                self._say("note", assignment=assignment, text=note)
        self._looks.notes[assignment] = tuple(notes)

    def _take(self, assignment: str, version: FoundVersion) -> str:
        """Keep a new version until its turn comes; return why it can't be read, empty if it can."""
        try:
            content = self._spool.take(assignment, version.student, version.write)
        except (AutograderError, OSError) as error:
            return f"{version.student}: {error}"
        superseded = self._ledger.add(assignment, version.student, version.version, content, time.time())
        if superseded is not None:
            self._say("found", assignment=assignment, student=version.student)
        for old in superseded or ():
            self._spool.drop(assignment, version.student, old)
        return ""

    def _turns(self) -> Turns:
        waiting = [one for one in self._ledger.in_state(WAITING) if one.assignment in self._assignments]
        at = {(one.assignment, one.student) for one in self._grader.at}
        counted_tries = self._ledger.counted_tries() if waiting else {}
        return turns(waiting, counted_tries, at, self._course.tries, time.time())

    def _begin(self, handin: HandIn) -> None:
        """Bring a version into `submitted/` and begin to grade it."""
        self._ledger.begin(handin)
        handin = self._now(handin)
        folder = self._spool.path(handin.assignment, handin.student, handin.content)
        try:
            # one student's: if it is another assignment's, the feedback says so
            collected = collect(self._course, handin.assignment, folder, lambda kind: None, force=True, is_class=False)
            if "failed" in collected.states.values():
                raise MachineError(next(iter(collected.faults.values())))
            if not collected.states:
                raise MachineError("Nothing that was handed in can be taken.")
            submitted = self._nbgrader.submitted(handin.assignment, handin.student)
            self._say("grading", handin)
            self._grader.begin(handin, submitted / f"{self._course.source(handin.assignment).name}.ipynb")
        except SealError:
            raise
        except (CourseError, MachineError, OSError) as error:
            self._failed(handin, str(error))

    def _enter(self, graded: GradedHandIn) -> None:
        """Let nbgrader write a verdict into the gradebook, then take down that it did."""
        handin, verdict = graded.handin, graded.verdict
        if not any(one.id == handin.id for one in self._ledger.in_state(GRADING)):
            return  # begun before this watch lost its lease or the database for a while: it is begun again
        if verdict.ungraded:
            self._failed(handin, verdict.fault or "tasks stayed ungraded")
            return
        try:
            self._ledger.lead(has_ended)  # nobody else writes for the next minutes
            self._nbgrader.enter(handin.assignment, handin.student)
        except (CourseError, MachineError, OSError) as error:
            self._failed(handin, str(error))
            return
        record = result_record(verdict)
        self._ledger.finish(handin, verdict.points, verdict.max_points, record, is_try=verdict.refusal is None)
        self._say("graded", handin)

    def _hand_back_all(self) -> None:
        """Hand back what is graded, and notices to those whose tries are used up."""
        now = time.time()
        due = [one for one in self._ledger.in_state(GRADED, BEYOND) if one.given is None and one.not_before <= now]
        at = {(one.assignment, one.student) for one in self._grader.at}
        due = [one for one in due if one.assignment in self._assignments and (one.assignment, one.student) not in at]
        for handin in due:
            self._hand_back(handin)

    def _hand_back(self, handin: HandIn) -> None:
        try:
            is_graded = handin.state == GRADED
            if is_graded:
                page = self._nbgrader.write_feedback(handin.assignment, handin.student)
                folder = self._nbgrader.submitted(handin.assignment, handin.student)
            else:
                folder = self._spool.path(handin.assignment, handin.student, handin.content) / handin.student
                page = write_notice(self._course, handin.assignment, folder.parent)
            text = self._source.hand_back(
                Feedback(handin.assignment, handin.student, handin.version, page, folder, is_graded=is_graded)
            )
        except GradebookError:
            raise
        except (AutograderError, OSError) as error:
            self._ledger.postpone(handin, time.time() + _back_off(handin.attempts + 1), str(error))
            self._say("not given", handin, text=str(error))
            return
        self._ledger.give(handin)
        if not any(one.content == handin.content for one in self._ledger.in_state(WAITING)):
            self._spool.drop(handin.assignment, handin.student, handin.content)
        self._say("given", handin, seconds=round(time.time() - handin.found, 1), **({"text": text} if text else {}))

    def _failed(self, handin: HandIn, fault: str) -> None:
        """Begin again later, or after too many failures not before somebody has looked."""
        if handin.attempts >= ATTEMPTS:
            self._ledger.fail(handin, fault)
            self._say("failed", handin, text=fault)
        else:
            self._ledger.postpone(handin, time.time() + _back_off(handin.attempts), fault)
            self._say("again later", handin, text=fault)

    # ---------------------------------------------------------------------------------------------------------- telling
    def _now(self, handin: HandIn) -> HandIn:
        return next(one for one in self._ledger.in_state(GRADING) if one.id == handin.id)

    def _is_unfinished(self) -> bool:
        """Whether something of the watched assignments needs a later look, or one of them couldn't be looked at."""
        if any(self._looks.failures.values()):
            return True
        rows = self._ledger.in_state(WAITING, GRADING, GRADED, BEYOND, FAILED)
        left = [one for one in rows if one.assignment in self._assignments and one.given is None]
        return any(one.fault or one.state in (GRADING, GRADED, FAILED) for one in left)

    def _publish(self, turns_now: Turns) -> None:
        waiting = {one.id: one for one in self._ledger.in_state(WAITING)}
        queue = [(one, 0.0) for one in turns_now.ready]
        queue += [(waiting[number], moment) for number, moment in turns_now.later.items() if number in waiting]
        notes = [f"{name}: {note}" for name in self._assignments for note in self._looks.notes.get(name, ())]
        failed = [f"{one.assignment}: {one.student}: {one.fault}" for one in self._ledger.in_state(FAILED)]
        unfinished = [one for one in self._ledger.in_state(GRADED, BEYOND) if one.given is None]
        self.state = State(
            time.time(), "", queue, self._grader.at, unfinished, self._ledger.newest(20), [*failed, *notes]
        )

    def _say(self, event: str, handin: HandIn | None = None, **more: Any) -> None:
        about: Mapping[str, Any] = {"assignment": handin.assignment, "student": handin.student} if handin else {}
        self._tell({"at": round(time.time(), 3), "event": event, **about, **more})


def _back_off(attempts: int) -> float:
    return min(LONGEST_BACK_OFF_SECONDS, BACK_OFF_SECONDS * 2.0 ** (max(1, attempts) - 1))
