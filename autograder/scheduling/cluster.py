"""A Dask cluster as a pool: calls go to its workers, outcomes come back as data."""

from __future__ import annotations

import contextlib
import logging
import queue
import time
import uuid
from collections.abc import Callable
from typing import Any

from autograder.base.errors import CourseError
from autograder.scheduling.fingerprint import versions
from autograder.scheduling.pool_base import POLL_SECONDS, Outcome, Pool, Ticket

CONNECT_SECONDS = 30.0
CLOSE_SECONDS = 5.0
COUNT_SECONDS = 5.0


class ClusterPool(Pool):
    """Calls functions on a Dask cluster's workers, used by one thread.

    A call that fails, or whose worker is lost, is tried once more, on another worker where there is one. Leave the
    context to take back the calls; the workers stay warm for the next run.
    """

    def __init__(self, address: str, backend: str = "", warn: Callable[[str], None] = lambda line: None) -> None:
        """Connect, and see that every worker grades as this process would.

        Args:
            address: the scheduler's address.
            backend: Keras backend of the workers' warm processes; none if the calls need no kernels.
            warn: called with a sentence while there is no worker yet.

        Raises:
            CourseError: Dask isn't installed, the scheduler can't be reached, or a worker has other versions.
        """
        try:
            from distributed import Client  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            raise CourseError(
                f"A cluster needs the extra `cluster`. Received: scheduler={address!r} without Dask. "
                "Run `EXTRAS=test,cluster ./run install`."
            ) from error
        super().__init__()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it would say is said by our own errors
        self._address = address
        self._backend = backend
        self._warn = warn
        self._expected = versions(backend)
        self._threads: dict[str, int] = {}
        self._running: dict[str, tuple[Ticket, Any]] = {}  # key of a call -> the call, and its future on the cluster
        self._worker_of: dict[str, str] = {}  # key of a running call -> the worker that has begun it
        self._lost: dict[Ticket, set[str]] = {}  # the workers that died under a call
        self._events: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="autograder")
        except (OSError, ValueError) as error:  # Dask's own time-outs and refusals are both
            raise self._unreachable(error) from error
        try:
            self._prepare_workers()
        except BaseException:
            self.close()
            raise

    @property
    def workers(self) -> int:
        """How many calls the cluster can run at once, as far as is known; at least one."""
        return max(1, sum(self._threads.values()))

    def close(self) -> None:
        """Take back the calls and let go of the cluster."""
        futures = [future for _, future in self._running.values()]
        self._running.clear()
        with contextlib.suppress(Exception):  # whatever is left of it
            if self._client.status == "running":
                self._client.cancel(futures)
        with contextlib.suppress(Exception):
            self._client.close(timeout=CLOSE_SECONDS)

    # ------------------------------------------------------------------------------------------------------------------
    def _prepare_workers(self) -> None:
        from autograder.scheduling import dask_worker as node

        try:
            found: Any = self._client.run(node.own_versions, self._backend)
        except Exception as error:  # whatever a worker raised, most of all that it can't import this package
            raise CourseError(
                "Every worker of the cluster must have this package and its dependencies. "
                f"Received: {type(error).__name__}: {error}. Install it in the workers' environment."
            ) from error
        differences = {worker: node.differences(theirs, self._expected) for worker, theirs in found.items()}
        wrong = " ".join(f"{worker}: {difference}." for worker, difference in sorted(differences.items()) if difference)
        if wrong:
            raise CourseError(
                "Every worker of the cluster must grade with the same versions, or grades would depend on who computes "
                f"them. Received: {wrong} Install the same version there and start those workers anew."
            )
        self._client.register_plugin(node.WarmWorker(self._backend))
        self._client.subscribe_topic(node.STARTED, lambda event: self._events.put(("started", event[1])))
        self._client.subscribe_topic("all", lambda event: self._events.put(("cluster", event[1])))
        self._threads = self._threads_now()
        self._counted = time.monotonic()
        if not self._threads:
            self._warn(f"The cluster at {self._address} has no worker yet: waiting for one.")

    def _wait_for_news(self) -> None:
        with contextlib.suppress(queue.Empty):
            self._handle(*self._events.get(timeout=POLL_SECONDS))
        self._count_workers()

    def _settle_finished(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._handle(*self._events.get_nowait())

    def _count_workers(self) -> None:
        if time.monotonic() - self._counted > COUNT_SECONDS:
            self._counted = time.monotonic()
            if self._client.status != "running":
                raise self._unreachable("the connection was lost")
            self._threads = self._threads_now()

    def _threads_now(self) -> dict[str, int]:
        threads: Any = self._client.nthreads()  # by its annotation it may have to be awaited; not in this client
        return dict(threads)

    def _begin(self, ticket: Ticket, avoid: str) -> None:
        from autograder.scheduling import dask_worker as node

        others = [worker for worker in self._threads if worker != avoid] if avoid else []
        key = f"autograder-{uuid.uuid4().hex}"
        try:
            future = self._client.submit(
                *(node.call, ticket.function, ticket.arguments, ticket.seconds, self._backend, self._expected),
                key=key,
                pure=False,
                workers=others or None,
                allow_other_workers=bool(others),
            )
        except Exception as error:  # Dask's errors have no common base
            raise self._unreachable(error) from error
        self._running[key] = (ticket, future)
        future.add_done_callback(lambda done: self._events.put(("done", done.key)))

    def _handle(self, kind: str, event: Any) -> None:
        """Act on an event: a call has `started` or is `done`, or the `cluster` has changed."""
        if kind == "started" and event["key"] in self._running:
            self._worker_of[event["key"]] = event["worker"]
        elif kind == "done" and event in self._running:
            ticket, future = self._running.pop(event)
            self._worker_of.pop(event, None)
            self._settle(ticket, *self._reply(future))
        elif kind == "cluster" and isinstance(event, dict) and event.get("action") == "remove-worker":
            self._threads.pop(event["worker"], None)
            for key in [key for key, worker in self._worker_of.items() if worker == event["worker"]]:
                del self._worker_of[key]
                if key in self._running:
                    self._note_lost_worker(key, event["worker"])

    def _note_lost_worker(self, key: str, worker: str) -> None:
        """Count a worker that died under a call; Dask itself has already given the call to another one."""
        ticket, future = self._running[key]
        lost = self._lost.setdefault(ticket, set())
        lost.add(worker)
        if len(lost) >= self._tries:
            del self._running[key]
            ticket.outcome = Outcome(fault=f"Workers died while they graded it: {', '.join(sorted(lost))}.")
            self._client.cancel([future], asynchronous=False)

    def _reply(self, future: Any) -> tuple[Outcome, str]:
        """Return what came back, and which worker sent it."""
        if future.status == "finished":
            reply = future.result(timeout=CONNECT_SECONDS)
            return Outcome(reply["value"], reply["fault"], reply["fatal_error"]), str(reply["worker"])
        if future.status == "cancelled":
            raise self._unreachable("the connection was lost")
        error = future.exception(timeout=CONNECT_SECONDS)
        return Outcome(fault=f"The cluster failed: {type(error).__name__}: {error}"), ""

    def _unreachable(self, why: object) -> CourseError:
        return CourseError(
            f"The cluster's scheduler must be reachable. Received: scheduler={self._address!r}: {why}. Start the cluster, "
            "correct the address, or set scheduler='local'; what was graded is kept."
        )
