"""Worker processes: many calls at once, and a worker that dies or hangs costs no more than its own call."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from types import TracebackType
from typing import Any

from pebble import ProcessExpired, ProcessPool

from autograder.errors import CourseError, SealError
from autograder.folders import remove_folder
from autograder.kernels import warm
from autograder.scheduling.spawn import QuickSpawn

TRIES = 2
STILL_SECONDS = 120.0
LOOK_SECONDS = 1.0


@dataclass(frozen=True)
class Outcome:
    """What became of a call; plain data, so that any exception can travel.

    Attributes:
        value: what the function returned.
        fault: why there is no value, for the instructor; empty if there is.
        stops: class name of an error that every other call would meet too.
    """

    value: Any = None
    fault: str = ""
    stops: str = ""


@dataclass(eq=False)
class Ticket:
    """A call handed to a pool.

    Attributes:
        function, arguments: what is called; both are pickled.
        seconds: after which the worker is taken to hang and is killed.
        outcome: None until it is there.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float
    outcome: Outcome | None = None
    tries: int = 0
    future: concurrent.futures.Future[Outcome] = field(default_factory=concurrent.futures.Future)


class WorkerPool:
    """Processes that call functions, used by one thread.

    A call whose worker dies, hangs or raises is tried once more, in another worker. The workers' kernels are forked
    from one warm process. Leave the context to end all of them, whatever they are at, and their temporary files.
    """

    def __init__(
        self, workers: int, backend: str = "", still_seconds: float = STILL_SECONDS, tries: int = TRIES
    ) -> None:
        """Prepare workers, which start at the first call.

        Args:
            workers: how many.
            backend: Keras backend of the warm process; none if the calls need no kernels.
            still_seconds: after which workers none of which takes any of the waiting calls are replaced.
            tries: of a call whose worker dies, hangs or raises.
        """
        self.workers = workers
        self._tries = tries
        self.still_seconds = still_seconds
        self._moved = time.monotonic()
        self._backend = backend
        # others may pass through it to the files in it that they own
        self._folder = tempfile.mkdtemp(prefix="ag-pool-")
        os.chmod(self._folder, 0o711)
        self._unfinished: list[Ticket] = []
        self._processes = self._new_processes()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def unfinished(self) -> int:
        """How many calls have no outcome yet."""
        return len(self._unfinished)

    def submit(self, function: Callable[..., Any], *arguments: Any, seconds: float) -> Ticket:
        """Let a worker call a module's function."""
        ticket = Ticket(function, arguments, seconds)
        self._unfinished.append(ticket)
        self._schedule(ticket)
        return ticket

    def wait(self) -> list[Ticket]:
        """Return the calls that have got an outcome since the last time, as soon as there is one.

        Raises:
            SealError, CourseError: a call met it, and every other one would.
        """
        finished: list[Ticket] = []
        while self._unfinished and not finished:
            futures = [ticket.future for ticket in self._unfinished]
            concurrent.futures.wait(futures, LOOK_SECONDS, concurrent.futures.FIRST_COMPLETED)
            self._replace_still_processes()
            finished = self.finished()
        return finished

    def finished(self) -> list[Ticket]:
        """Return the calls that have got an outcome since the last time, without waiting.

        Raises:
            SealError, CourseError: a call met it, and every other one would.
        """
        for ticket in [t for t in self._unfinished if t.future.done()]:
            outcome = _outcome(ticket.future)
            if outcome.stops:
                raise {"SealError": SealError, "CourseError": CourseError}[outcome.stops](outcome.fault)
            if outcome.fault and ticket.tries < self._tries:
                self._schedule(ticket)
            else:
                ticket.outcome = outcome
        finished = [t for t in self._unfinished if t.outcome is not None]
        self._unfinished = [t for t in self._unfinished if t.outcome is None]
        return finished

    def close(self) -> None:
        """End the workers at once."""
        with _uninterrupted():
            self._processes.stop()  # type: ignore[no-untyped-call]
            self._processes.join()
            warm.close_all()
            _remove(self._folder)

    def _replace_still_processes(self) -> None:
        """Give up workers that will never take a call.

        A worker that was killed while it took one may have left the others locked out, or the call with nobody; and a
        call that is handed over just when the last worker died is forgotten.
        """
        now = time.monotonic()
        if any(ticket.future.running() or ticket.future.done() for ticket in self._unfinished):
            self._moved = now
        elif not self._processes.active or now - self._moved > self.still_seconds:
            self._processes.stop()  # type: ignore[no-untyped-call]
            for ticket in self._unfinished:
                ticket.future = _failed(BrokenProcessPool("none of them took a call"))

    def _schedule(self, ticket: Ticket) -> None:
        ticket.tries += 1
        try:
            if not self._processes.active:
                self._processes.join()
                self._processes = self._new_processes()
            # asked for each time, since a warm process that ended is replaced
            warm_address = warm.warm_server(self._backend).address if self._backend else ""
            call = (ticket.function, ticket.arguments, self._backend, warm_address)
            ticket.future = self._processes.schedule(_call, call, timeout=ticket.seconds)
        except (OSError, RuntimeError) as error:  # no process could be started or ended
            ticket.future = _failed(error)
        self._moved = time.monotonic()

    def _new_processes(self) -> ProcessPool:
        return ProcessPool(self.workers, initializer=start_worker, initargs=(self._folder,), context=QuickSpawn())


def _failed(error: Exception) -> concurrent.futures.Future[Outcome]:
    future: concurrent.futures.Future[Outcome] = concurrent.futures.Future()
    future.set_exception(error)
    return future


def start_worker(folder: str) -> None:
    """Prepare a worker process, with a folder for its temporary files."""
    # Ctrl-C is the parent's; a handler, since processes that are started here would inherit SIG_IGN and the mask
    signal.signal(signal.SIGINT, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    tempfile.tempdir = folder
    Finalize(None, warm.close_all, exitpriority=100)
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()


def _remove(folder: str) -> None:
    """Remove a folder in which the last killed processes may still be busy for a moment."""
    for _ in range(40):
        remove_folder(folder)
        if not os.path.exists(folder):
            return
        time.sleep(0.05)


def _end_with_parent(folder: str) -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        _remove(folder)  # the parent could not, if it was killed
        os.kill(os.getpid(), signal.SIGTERM)


def _call(function: Callable[..., Any], arguments: tuple[Any, ...], backend: str, warm_address: str) -> Outcome:
    """Call a function in a worker. Exceptions stay here: not every one can be unpickled."""
    try:
        if warm_address:
            warm.use_server(backend, warm_address)
        return Outcome(function(*arguments))
    except (SealError, CourseError) as error:
        return Outcome(fault=str(error), stops=type(error).__name__)
    except BaseException as error:  # noqa: BLE001  (whatever it is, it is told and tried again)
        return Outcome(fault=f"{type(error).__name__}: {error}")


def _outcome(future: concurrent.futures.Future[Outcome]) -> Outcome:
    try:
        return future.result()
    except ProcessExpired as error:
        return Outcome(fault=f"A worker process died (exit code {error.exitcode}).")
    except concurrent.futures.TimeoutError as error:
        return Outcome(fault=f"A worker process gave no answer within {error.args[-1]:g} s.")
    except BrokenProcessPool as error:
        return Outcome(fault=f"The worker processes could not go on: {error}.")
    except Exception as error:  # noqa: BLE001  (a call that couldn't even be sent or answered)
        return Outcome(fault=f"{type(error).__name__}: {error}")


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let a second Ctrl-C wait until everything is ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
