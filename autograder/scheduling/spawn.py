"""Processes that start quickly."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from multiprocessing import current_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any

_starting = threading.Lock()


class QuickProcess(SpawnProcess):
    """A process that doesn't import the command's main module again, which takes long and is of no use to it.

    It starts with Ctrl-C held back, since its imports would end in a traceback; what it runs lets Ctrl-C through again.
    """

    def start(self) -> None:
        """Start it."""
        resource_tracker.ensure_running()  # it changes the mask
        with _starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            # a Dask worker is a daemonic process, which multiprocessing forbids to start others; ours end with it
            own: dict[str, Any] = current_process()._config  # type: ignore[attr-defined]
            is_daemon = own.pop("daemon", None)
            try:
                super().start()
            finally:
                if is_daemon is not None:
                    own["daemon"] = is_daemon
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                sys.modules["__main__"] = main

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_in_worker, (), self.__dict__


def _made_in_worker() -> QuickProcess:
    """Return an empty process; called in the worker before anything else of it is unpickled, and so imported."""
    gc.disable()  # until its first call, for which most is imported: collections meanwhile find nothing
    return QuickProcess.__new__(QuickProcess)


class QuickSpawn(SpawnContext):
    """The start method of these processes."""

    Process = QuickProcess
