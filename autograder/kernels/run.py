"""A submission's run: its cells executed once, and kernels replaced when the student's code ends one.

A cell that ends or blocks its kernel is left out of every later kernel, so the tasks of the other cells are still
evaluated: each mistake costs what it touches.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.course import Limits
from autograder.errors import AnswerError, AnswerTimeout, KernelGone, MachineError
from autograder.kernels.session import CellResult, KernelSession, Unanswered
from autograder.text import Text

# Cells that are run for their outputs alone get this long once a cell has hung, and aren't run at all once three have:
# what hung once is often called again.
IMPATIENT_SECONDS = 2.0
MANY_HUNG = 3


@dataclass(frozen=True)
class RunCell:
    """One code cell of a submission.

    Attributes:
        id: cell id in the notebook.
        source: what is executed.
        is_students: whether the student could change it; a locked cell that fails is the machine's failure.
        is_needed: whether later cells or graders may need it; the others are executed once, for their outputs.
        seconds: deadline.
    """

    id: str
    source: str
    is_students: bool
    is_needed: bool
    seconds: float


@dataclass
class NotebookRun:
    """Executes a notebook's cells and keeps a kernel in which they have run.

    Attributes:
        cells: in order.
        limits: of the submission.
        backend: Keras backend.
        files: name -> content of files beside the notebook.
            only_needed: leave out the cells that nothing depends on.
        stopped: cell id -> why it is never run (`timeout` or `died`): known beforehand, or found out.
        deadline: `time.monotonic()` after which nothing more is started.
    """

    cells: Sequence[RunCell]
    limits: Limits
    backend: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    only_needed: bool = False
    deadline: float = 0.0
    stopped: dict[str, str] = field(default_factory=dict)

    results: dict[str, CellResult] = field(default_factory=dict, init=False)
    generation: int = field(default=0, init=False)
    _session: KernelSession | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.deadline = self.deadline or time.monotonic() + self.limits.submission_seconds

    def __enter__(self) -> NotebookRun:
        return self

    def __exit__(self, *_: object) -> None:
        self._drop()

    def execute(self) -> None:
        """Execute every cell once.

        Raises:
            MachineError: no kernel, or a locked cell failed before any of the student's code ran.
        """
        try:
            self._replay(upto=0)
            for index, cell in enumerate(self.cells):
                if (
                    (cell.is_needed or not self.only_needed)
                    and cell.id not in self.results
                    and cell.id not in self.stopped
                ):
                    self._run_cell(index, cell)
        except AnswerError:  # out of time or of restarts: every question from here on says so
            pass

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask the resident of a kernel in which the cells have run.

        Raises:
            AnswerTimeout: no reply in time, or the submission's time is used up.
            KernelGone: the question ended the kernel or made it unusable.
            MachineError: no kernel could be started.
        """
        self._check_time()
        if self._session is None:
            self._replay(upto=len(self.cells))
        session = self._session
        assert session is not None
        try:
            return session.ask(request, self.limits.answer_seconds)
        except Unanswered as failure:
            if failure.reason == "timeout" and session.is_responsive():
                pass  # interrupted cleanly: the kernel is still good
            else:
                self._drop()
            raise stop_error(failure.reason, self.limits.answer_seconds) from None

    # ------------------------------------------------------------------------------------------------------------------
    def _replay(self, upto: int) -> None:
        """Start a fresh kernel in which the needed cells before index `upto` have run."""
        self._drop()
        if self.generation > self.limits.restarts:
            raise KernelGone(
                Text(
                    f"Your notebook ended its kernel more than {self.limits.restarts} times; the rest was not evaluated.",
                    f"노트북이 커널을 {self.limits.restarts}번 넘게 끝냈습니다. 나머지는 평가하지 않았습니다.",
                )
            )
        self.generation += 1
        self._session = KernelSession(self.limits, self.backend, self.files).__enter__()
        for index, cell in enumerate(self.cells[:upto]):
            if cell.is_needed and cell.id not in self.stopped:
                self._run_cell(index, cell)
                if self._session is None:  # a cell that was harmless before ended this kernel: leave it out from now on
                    self._replay(upto)
                    return

    def _run_cell(self, index: int, cell: RunCell) -> None:
        self._check_time()
        if self._session is None:
            self._replay(upto=index)
        session = self._session
        assert session is not None
        seconds = min(cell.seconds, max(0.1, self.deadline - time.monotonic()))
        hung = list(self.stopped.values()).count("timeout")
        if not cell.is_needed and hung:
            if hung >= MANY_HUNG:
                return
            seconds = min(seconds, IMPATIENT_SECONDS)
        result = session.run(cell.source, seconds)
        if result.exit == "timeout":
            session.interrupt()
        if result.exit == "died" or not session.is_responsive():
            result.exit = "died" if result.exit in ("ok", "error") else result.exit
            self._drop()
        if result.exit in ("timeout", "died"):
            if not cell.is_students:
                self._blame_for(index, result.exit)
                self._run_cell(index, cell)
                return
            self.stopped[cell.id] = result.exit
            result.outputs.append(_stop_note(result.exit, seconds))
        elif not cell.is_students:
            self._remember(session)
        self.results.setdefault(cell.id, result)

    def _blame_for(self, index: int, exit_reason: str) -> None:
        """Leave out the student's own cells before a locked cell that failed; without any, the machine failed."""
        self._drop()
        own = [cell.id for cell in self.cells[:index] if cell.is_students and cell.id not in self.stopped]
        if not own:
            raise MachineError(f"The locked cell {self.cells[index].id!r} did not finish ({exit_reason}).")
        self.stopped.update(dict.fromkeys(own, exit_reason))

    def _remember(self, session: KernelSession) -> None:
        try:
            session.ask({"do": "remember"}, self.limits.start_seconds)
        except Unanswered as failure:
            self._drop()
            raise MachineError(f"The kernel gave no answer after a locked cell ({failure.reason}).") from None

    def _check_time(self) -> None:
        if time.monotonic() >= self.deadline:
            self._drop()
            raise AnswerTimeout(
                Text(
                    f"The time for the whole notebook ({self.limits.submission_seconds:g} s) was used up before this.",
                    f"노트북 전체에 주어진 시간({self.limits.submission_seconds:g}초)을 다 써서 평가하지 못했습니다.",
                )
            )

    def _drop(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()


def stop_error(reason: str, seconds: float) -> AnswerError:
    """Return the error of code that was stopped: `timeout` after `seconds`, else it ended or spoilt its kernel."""
    if reason == "timeout":
        return AnswerTimeout(
            Text(
                f"Stopped after {seconds:g} s without an answer: a loop without an end?",
                f"{seconds:g}초 동안 답이 없어 중단했습니다. 끝나지 않는 반복문이 있나요?",
            )
        )
    return KernelGone(
        Text(
            "Your code ended the kernel or made it unusable: exit(), a crash, or too much memory?",
            "여러분의 코드가 커널을 끝냈거나 쓸 수 없게 만들었습니다. exit(), 비정상 종료, 메모리 부족이 아닌가요?",
        )
    )


def _stop_note(exit_reason: str, seconds: float) -> NotebookNode:
    text = (
        f"Stopped after {seconds:g} s: a loop without an end?"
        if exit_reason == "timeout"
        else "This cell ended the kernel."
    )
    return nbformat.v4.new_output("error", ename="Stopped", evalue=text, traceback=[text])
