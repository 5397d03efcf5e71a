"""A kernel for the grader's own functions that a student's code is given: it may call them, and can't see them.

In the student's kernel there is a proxy, which knows a number. What it is called with goes through the grader into the other
kernel, sealed and bounded like the student's because its inputs are the student's, and the answer comes back; the grader reads
neither. A function that is passed along, or returned, becomes a proxy on the other side.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from autograder.base.errors import KernelGone, MachineError
from autograder.kernels.channel import Relay, Reply, Unanswered
from autograder.kernels.compiled import without_source
from autograder.kernels.probe import KERNEL_ENDED
from autograder.kernels.resident.wire import packed
from autograder.kernels.session import KernelSession

# Calls within calls: of a function, of what it was given, of a function in that, and so on.
MAX_DEPTH = 4
_DEFINED = "_defined"  # a function that returns another one by its name
_TOO_DEEP = packed({"error": {"kinds": ["RecursionError"], "text": "maximum recursion depth exceeded"}})
_ENDED = packed({"error": {"kinds": ["MemoryError"], "text": ""}})


class _CallerFailed(Exception):
    """The student's kernel failed while a function of its own was called back."""

    def __init__(self, failure: Unanswered) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class ProxyHost:
    """The kernel behind the proxies of one submission, started when it is first needed and again after it ended.

    Args:
        start: returns a kernel, started.
        seconds: time limit of each of the grader's own questions.

    Attributes:
        generation: changes when the kernel ends or is replaced; what was kept in it is gone then.
    """

    def __init__(self, start: Callable[[], KernelSession], seconds: float) -> None:
        self.generation = 0
        self._start = start
        self._seconds = seconds
        self._session: KernelSession | None = None
        self._is_spoilt = False

    def define(self, request: Mapping[str, Any]) -> Reply:
        """Have a function made.

        Raises:
            MachineError: a fresh kernel could not be started or gave no answer.
        """
        if self._session is not None:
            # what the student's code called may have used it up: then a fresh one may say something else
            with contextlib.suppress(KernelGone):
                reply = self.ask(request)
                if "error" not in reply:
                    return reply
            self.close()
        self._session = self._start()
        try:
            return self.ask(request)
        except KernelGone:
            raise MachineError(
                "The kernel of the functions that are given to the student's code gave no answer."
            ) from None

    def offer(self, source: str, name: str) -> int:
        """Have one of the functions that Python code defines made, and return its number.

        Raises:
            MachineError: the kernel failed, or the code did: it is the course's own.
        """
        plain = {"kind": "plain", "value": name}
        code = without_source(f"{source}\n\n\ndef {_DEFINED}(name):\n    return globals()[name]\n")
        reply = self.define({"do": "define", "code": code, "name": _DEFINED, "args": [plain], "kwargs": {}})
        if "error" in reply:
            raise MachineError(f"The reference of `{name}` could not be made. Received: {reply['error'].get('kinds')}.")
        return int(reply["ok"])

    def ask(self, request: Mapping[str, Any]) -> Reply:
        """Put a question about what was made.

        Raises:
            KernelGone: the kernel is no more, or gave no reply and was ended.
        """
        if self._session is None:
            raise KernelGone(KERNEL_ENDED)
        try:
            return self._session.ask(request, self._seconds)
        except Unanswered:
            self.close()
            raise KernelGone(KERNEL_ENDED) from None

    def relay_for(self, caller: KernelSession) -> Relay:
        """Return what passes the calls of a student's kernel on to this one while the student's is asked."""

        def relay(function: int, content: bytes, seconds: float) -> bytes:
            try:
                return self._apply(function, content, seconds, caller, 0)
            finally:
                if self._is_spoilt:
                    self.close()

        return relay

    def close(self) -> None:
        """End the kernel."""
        session, self._session = self._session, None
        self._is_spoilt = False
        if session is not None:
            self.generation += 1
            session.close()

    # ------------------------------------------------------------------------------------------------------------------
    def _apply(self, function: int, content: bytes, seconds: float, caller: KernelSession, depth: int) -> bytes:
        """Call a function of this kernel for the student's."""
        if self._session is None or self._is_spoilt:
            return _ENDED
        if depth > MAX_DEPTH:
            return _TOO_DEEP

        def call_back(own: int, passed: bytes, left: float) -> bytes:
            try:
                return caller.apply(own, passed, left, call_again)
            except Unanswered as failure:
                raise _CallerFailed(failure) from None

        def call_again(again: int, passed: bytes, left: float) -> bytes:
            return self._apply(again, passed, left, caller, depth + 1)

        try:
            return self._session.apply(function, content, seconds, call_back)
        except _CallerFailed as failed:
            self._is_spoilt = True  # it may not have heard that its call back failed
            raise failed.failure from None
        except Unanswered as failure:
            self._is_spoilt = True  # it is ended once no call is open in it any more
            if failure.reason == "timeout":
                raise TimeoutError from None
            return _ENDED
