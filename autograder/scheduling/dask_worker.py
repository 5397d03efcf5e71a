"""The part of a Dask cluster's workers: one keeps a warm process and, for each of its threads, a worker process.

Dask carries calls here and outcomes back. What runs a call is the same `WorkerPool` as on a single machine, so that a
submission that hangs or kills its process takes neither the Dask worker nor its neighbour with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker  # pyright: ignore[reportMissingImports]

from autograder.base.errors import CourseError, SealError
from autograder.kernels import warm
from autograder.scheduling.fingerprint import versions
from autograder.scheduling.pool import WorkerPool

STARTED = "autograder-started"

_pools_lock = threading.Lock()
_pools: dict[tuple[int, str], WorkerPool] = {}


class WarmWorker(WorkerPlugin):
    """Lets a Dask worker import TensorFlow before its first submission comes, and end with all that it started."""

    idempotent = True

    def __init__(self, backend: str) -> None:
        self.name = f"autograder-{backend}"
        self.backend = backend

    async def setup(self, worker: Worker) -> None:
        """Start the warm process; a machine that can't seal says so with its first call."""
        if self.backend:
            with contextlib.suppress(SealError):
                await asyncio.to_thread(warm.own_warm_process, self.backend)

    async def teardown(self, worker: Worker) -> None:
        """End everything."""
        await asyncio.to_thread(close)


def own_versions(backend: str) -> dict[str, str]:
    """Return this worker's `versions(backend)`."""
    return versions(backend)


def call(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    seconds: float,
    backend: str,
    expected: Mapping[str, str],
) -> dict[str, Any]:
    """Call a function in this thread's worker process.

    Args:
        function: a module's function to call.
        arguments: positional arguments of the function.
        seconds: how long the call may take.
        backend: Keras backend of the warm process; empty if the call needs no kernels.
        expected: the coordinator's `versions(backend)`.

    Returns:
        The fields of an `Outcome`, and this worker's address.
    """
    worker = get_worker()
    # sent before anything can happen: the coordinator counts the workers that a submission was running on when they died
    worker.log_event(STARTED, {"key": worker.get_current_task(), "worker": worker.address})
    reply: dict[str, Any] = {"value": None, "fault": "", "fatal_error": "", "worker": worker.address}
    if wrong := differences(versions(backend), expected):
        return {**reply, "fault": f"{worker.address}: {wrong}", "fatal_error": "CourseError"}
    pool = _own_pool(backend)
    try:
        ticket = pool.submit(function, *arguments, seconds=seconds)
        while ticket.outcome is None:
            pool.wait()
    except (SealError, CourseError) as error:
        _drop_own_pool(backend)
        return {**reply, "fault": f"{worker.address}: {error}", "fatal_error": type(error).__name__}
    return {**reply, "value": ticket.outcome.value, "fault": ticket.outcome.fault}


def differences(found: Mapping[str, str], expected: Mapping[str, str]) -> str:
    """Return what of `versions` differs between a worker and the coordinator, empty if nothing does."""
    wrong = [name for name in expected if found.get(name) != expected[name]]
    return "; ".join(f"{name} is {found.get(name, 'missing')} there and {expected[name]} here" for name in wrong)


def close() -> None:
    """End this process's worker processes and warm processes."""
    with _pools_lock:
        pools = list(_pools.values())
        _pools.clear()
    for pool in pools:
        pool.close()
    warm.close_all()


def _own_pool(backend: str) -> WorkerPool:
    key = (threading.get_ident(), backend)
    with _pools_lock:
        if key not in _pools:
            _pools[key] = WorkerPool(1, backend, tries=1)  # the coordinator tries again, elsewhere
        return _pools[key]


def _drop_own_pool(backend: str) -> None:
    with _pools_lock:
        pool = _pools.pop((threading.get_ident(), backend))
    pool.close()
