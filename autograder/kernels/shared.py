"""Kernels that are used one after the other, because a kernel's start takes longer than much of what is done in it.

Only for the course's own code: a student's could leave anything behind. What was defined, made and remembered is forgotten in
between; modules that were imported and seeds that were set stay. Two use them: the functions that a student's code is given, from
one submission to the next, and the proof, whose mistakes are the course's own; a verdict there that isn't as it must be
is asked for again elsewhere, in kernels of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from autograder.kernels.channel import Relay, Reply, Unanswered
from autograder.kernels.session import CellResult, KernelSession
from autograder.sources.course import Limits

MAX_USES = 12  # of a kernel: its memory and processor time are bounded as a submission's are
MAX_IDLE = 4


class SharedKernels:
    """Gives out kernels in the place of `KernelSession`, and takes them back when they are closed; used by one thread.

    Args:
        max_idle: how many kernels stay that nobody uses; such a kernel is given out again for the same limits only.
    """

    def __init__(self, max_idle: int = MAX_IDLE) -> None:
        self._max_idle = max_idle
        self._idle: list[_SharedSession] = []

    def __call__(
        self,
        limits: Limits,
        backend: str,
        files: Mapping[str, bytes] | None = None,
        hidden: Sequence[str] = (),
        accepted: Collection[str] = (),
    ) -> KernelSession:
        """Return a kernel, to be entered; see `KernelSession`."""
        if files:
            return KernelSession(limits, backend, files, hidden, accepted)
        settings = (limits, backend, tuple(hidden), frozenset(accepted))
        while session := next((idle for idle in self._idle if idle.settings == settings), None):
            self._idle.remove(session)
            if session.resume():
                return session
            session.end()
        return _SharedSession(self, *settings)

    def take_back(self, session: _SharedSession) -> None:
        """Let a kernel be given out again, and end one that has long been idle if there are many."""
        self._idle.append(session)
        if len(self._idle) > self._max_idle:
            self._idle.pop(0).end()

    def close(self) -> None:
        """End all kernels that are not in use."""
        while self._idle:
            self._idle.pop().end()


class _SharedSession(KernelSession):
    """A kernel that goes back when it is closed, unless it has been used often or much, or something went wrong in it."""

    def __init__(
        self,
        kernels: SharedKernels,
        limits: Limits,
        backend: str,
        hidden: tuple[str, ...],
        accepted: frozenset[str],
    ) -> None:
        super().__init__(limits, backend, {}, hidden, accepted)
        self.settings = (limits, backend, hidden, accepted)
        self._kernels = kernels
        self._uses = 0
        self._is_fit = False

    def __enter__(self) -> KernelSession:
        self._uses += 1
        if self._uses == 1:
            super().__enter__()
            self._is_fit = True
        return self

    def run(self, source: str, seconds: float) -> CellResult:
        """See `KernelSession.run`."""
        result = super().run(source, seconds)
        self._is_fit = self._is_fit and result.exit in ("ok", "error")
        return result

    def ask(self, request: Mapping[str, Any], seconds: float, relay: Relay | None = None) -> Reply:
        """See `KernelSession.ask`."""
        self._is_fit = self._is_fit and request["do"] != "show"
        try:
            return super().ask(request, seconds, relay)
        except Unanswered:
            self._is_fit = False
            raise

    def apply(self, function: int, content: bytes, seconds: float, relay: Relay) -> bytes:
        """See `KernelSession.apply`."""
        try:
            return super().apply(function, content, seconds, relay)
        except Unanswered:
            self._is_fit = False
            raise

    def close(self) -> None:
        """Give the kernel back, or end it."""
        if self._is_fit and self._uses < MAX_USES and self.forget() and self.pause():
            self._kernels.take_back(self)
        else:
            self.end()

    def end(self) -> None:
        """End the kernel."""
        self._is_fit = False
        super().close()
