"""Ctrl-C and signals like it, which end a run only where it can be ended."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Holds a signal back until the run is where it can be ended.

    An exception that a signal raises anywhere gets lost where Python runs a destructor or a weak reference's callback, as
    SQLAlchemy has for each of its objects: the run then goes on, with a session in disorder.
    """

    def __init__(self) -> None:
        self._is_asked = False
        self._is_allowed = False

    @contextmanager
    def handled(self) -> Generator[None]:
        """Hold back Ctrl-C, SIGTERM and SIGHUP, unless somebody else handles them."""
        usual = (signal.SIG_DFL, signal.default_int_handler)
        numbers: list[signal.Signals] = []
        if threading.current_thread() is threading.main_thread():
            asking = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
            numbers = [number for number in asking if signal.getsignal(number) in usual]
        before = {number: signal.signal(number, self._take) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def allowed(self) -> Generator[None]:
        """Let a signal end what is done in this context, also one that came before it.

        Raises:
            KeyboardInterrupt: a signal came.
        """
        try:
            self._is_allowed = True
            if self._is_asked:
                raise KeyboardInterrupt
            yield
        finally:
            self._is_allowed = False

    def sleep(self, seconds: float) -> None:
        """Wait, unless a signal comes, or has come.

        Raises:
            KeyboardInterrupt: a signal came.
        """
        with self.allowed():
            time.sleep(seconds)

    def _take(self, number: int, frame: FrameType | None) -> None:
        is_repeated, self._is_asked = self._is_asked, True
        if self._is_allowed or is_repeated:  # whoever asks twice doesn't want to wait
            raise KeyboardInterrupt
