"""What pools of workers have in common: they take calls, return outcomes, and try again what failed."""

from __future__ import annotations

import concurrent.futures
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from autograder.base.errors import CourseError, SealError

TRIES = 2
POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Outcome:
    """What became of a call; plain data, so that any exception can be sent to another process.

    Attributes:
        value: what the function returned.
        fault: why there is no value, in a sentence for the instructor; empty if there is a value.
        fatal_error: class name of an error that every other call would meet too; empty if there is none.
    """

    value: Any = None
    fault: str = ""
    fatal_error: str = ""


@dataclass(eq=False)
class Ticket:
    """A call handed to a pool.

    Attributes:
        function: a module's function, which is called in a worker; it is pickled.
        arguments: positional arguments of the call; they are pickled too.
        seconds: time after which the worker is taken to hang and is killed.
        outcome: what became of the call; None until that is known.
        tries: how often the call was begun.
        future: stands for the call in a `WorkerPool`; not used on a cluster.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    outcome: Outcome | None = None
    tries: int = 0
    future: concurrent.futures.Future[Outcome] = field(default_factory=concurrent.futures.Future)


class Pool(ABC):
    """Calls functions in other processes, used by one thread. Leave the context to take back what isn't finished.

    Args:
        tries: how often a call is begun that fails.
    """

    def __init__(self, tries: int = TRIES) -> None:
        self._tries = tries
        self._unfinished: list[Ticket] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def unfinished(self) -> int:
        """How many calls have no outcome yet."""
        return len(self._unfinished)

    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Ticket:
        """Let a worker call a module's function; see `Ticket`."""
        ticket = Ticket(function, arguments, seconds)
        self._unfinished.append(ticket)
        self._try(ticket)
        return ticket

    def wait(self) -> list[Ticket]:
        """Return the calls that have got an outcome since the last time, as soon as there is one.

        Raises:
            SealError, CourseError: a call met it, and every other one would; or no call can be computed any more.
        """
        finished = self.finished()
        while self._unfinished and not finished:
            finished = self.wait_briefly()
        return finished

    def outcomes(self) -> Iterator[tuple[Ticket, Outcome]]:
        """Yield each call with its outcome as it comes, until every one has been yielded.

        Raises:
            SealError, CourseError: as `wait` does.
        """
        while self._unfinished:
            for ticket in self.wait():
                assert ticket.outcome is not None
                yield ticket, ticket.outcome

    def wait_briefly(self) -> list[Ticket]:
        """Return the calls that have got an outcome since the last time, after waiting `POLL_SECONDS` at most.

        Raises:
            SealError, CourseError: as `wait` does.
        """
        finished = self.finished()
        if self._unfinished and not finished:
            self._wait_for_news()
            finished = self.finished()
        return finished

    def finished(self) -> list[Ticket]:
        """Return the calls that have got an outcome since the last time, without waiting.

        Raises:
            SealError, CourseError: as `wait` does.
        """
        self._settle_finished()
        finished = [ticket for ticket in self._unfinished if ticket.outcome is not None]
        self._unfinished = [ticket for ticket in self._unfinished if ticket.outcome is None]
        return finished

    @property
    @abstractmethod
    def workers(self) -> int:
        """How many calls can run at once, as far as is known; at least one."""

    @abstractmethod
    def close(self) -> None:
        """Take back the calls and let go of the workers."""

    @abstractmethod
    def _begin(self, ticket: Ticket, avoid: str) -> None:
        """Hand a call to a worker; not to the worker `avoid`, where there is another one."""

    @abstractmethod
    def _wait_for_news(self) -> None:
        """Wait until a worker answers, `POLL_SECONDS` at most, and see that the workers can go on."""

    @abstractmethod
    def _settle_finished(self) -> None:
        """Settle the calls that workers have answered."""

    def _try(self, ticket: Ticket, avoid: str = "") -> None:
        ticket.tries += 1
        self._begin(ticket, avoid)

    def _settle(self, ticket: Ticket, outcome: Outcome, worker: str = "") -> None:
        """Make what a worker sent back the call's outcome, or begin a call that failed once more."""
        if outcome.fatal_error:
            raise {"SealError": SealError, "CourseError": CourseError}[outcome.fatal_error](outcome.fault)
        if outcome.fault and ticket.tries < self._tries:
            self._try(ticket, avoid=worker)
        else:
            ticket.outcome = outcome
