"""Worker processes: many calls at once, and a worker that dies or hangs costs no more than its own call."""

from __future__ import annotations

import concurrent.futures
import contextlib
import gc
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import parent_process
from multiprocessing.util import Finalize
from typing import Any

from pebble import ProcessExpired, ProcessPool

from autograder.base.errors import AutograderError, CourseError, SealError
from autograder.base.folders import remove_folder
from autograder.kernels import warm
from autograder.scheduling.pool_base import POLL_SECONDS, TRIES, Outcome, Pool, Ticket
from autograder.scheduling.spawn import QuickSpawn

STALL_SECONDS = 120.0


class WorkerPool(Pool):
    """Processes that call functions, used by one thread.

    A call whose worker dies, hangs or raises is tried once more, in another worker. The workers' kernels are forked
    from one warm process. Leave the context to end all of them, whatever they are at, and their temporary files.
    """

    def __init__(
        self, workers: int, backend: str = "", stall_seconds: float = STALL_SECONDS, tries: int = TRIES
    ) -> None:
        """Prepare workers, which start at the first call.

        Args:
            workers: number of worker processes.
            backend: Keras backend of the warm process; none if the calls need no kernels.
            stall_seconds: how long no worker may take a waiting call before all workers are replaced.
            tries: how often a call is tried whose worker dies, hangs or raises.
        """
        super().__init__(tries)
        self._workers = workers
        self.stall_seconds = stall_seconds
        self._last_progress = time.monotonic()
        self._backend = backend
        # others may pass through it to the files in it that they own
        self._folder = tempfile.mkdtemp(prefix="ag-pool-")
        os.chmod(self._folder, 0o711)
        self._processes = self._new_processes()

    @property
    def workers(self) -> int:
        """How many calls can run at once."""
        return self._workers

    def close(self) -> None:
        """End the workers at once."""
        with _uninterrupted():
            self._processes.stop()  # type: ignore[no-untyped-call]
            self._processes.join()
            warm.close_all()
            _remove(self._folder)

    def _wait_for_news(self) -> None:
        futures = [ticket.future for ticket in self._unfinished]
        concurrent.futures.wait(futures, POLL_SECONDS, concurrent.futures.FIRST_COMPLETED)
        self._replace_stalled_processes()

    def _settle_finished(self) -> None:
        for ticket in [ticket for ticket in self._unfinished if ticket.future.done()]:
            self._settle(ticket, _outcome(ticket.future))

    def _replace_stalled_processes(self) -> None:
        """Give up workers that will never take a call.

        A worker that was killed while it took one may have left the others locked out, or the call with nobody; and a
        call that is handed over just when the last worker died is forgotten.
        """
        now = time.monotonic()
        if any(ticket.future.running() or ticket.future.done() for ticket in self._unfinished):
            self._last_progress = now
        elif not self._processes.active or now - self._last_progress > self.stall_seconds:
            self._processes.stop()  # type: ignore[no-untyped-call]
            for ticket in self._unfinished:
                ticket.future = _failed(BrokenProcessPool("none of them took a call"))

    def _begin(self, ticket: Ticket, avoid: str) -> None:
        try:
            # asked for each time, since a warm process that ended is replaced; before the workers, which start in the meantime
            warm_address = warm.own_warm_process(self._backend).address if self._backend else ""
            if not self._processes.active:
                self._processes.join()
                self._processes = self._new_processes()
            call = (ticket.function, ticket.arguments, self._backend, warm_address)
            ticket.future = self._processes.schedule(_call, call, timeout=ticket.seconds)
        except (OSError, RuntimeError) as error:  # no process could be started or ended
            ticket.future = _failed(error)
        self._last_progress = time.monotonic()

    def _new_processes(self) -> ProcessPool:
        context: Any = QuickSpawn()  # pebble wants one of its own list
        return ProcessPool(self._workers, initializer=start_worker, initargs=(self._folder,), context=context)


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
    if not gc.isenabled():  # the first call
        gc.freeze()
        gc.enable()
    try:
        if warm_address:
            warm.use_warm_process_at(backend, warm_address)
        return Outcome(function(*arguments))
    except (SealError, CourseError) as error:
        return Outcome(fault=str(error), fatal_error=type(error).__name__)
    except AutograderError as error:  # a sentence already
        return Outcome(fault=str(error))
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
def _uninterrupted() -> Generator[None]:
    """Let a second Ctrl-C wait until everything is ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
