"""A submission's run: its cells executed once, and kernels replaced when the student's code ends one.

A cell that ends or blocks its kernel is left out of every later kernel, so the tasks of the other cells are still
evaluated: each mistake costs what it touches.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.base.errors import AnswerError, AnswerTimeout, KernelGone, MachineError
from autograder.base.text import Text
from autograder.kernels.channel import Unanswered
from autograder.kernels.compiled import without_source
from autograder.kernels.proxies import ProxyHost
from autograder.kernels.session import CellResult, Kernels, KernelSession
from autograder.sources.course import Limits

# Cells that are run for their outputs alone get this long once a cell, or their task's answer, has hung, and aren't run at all
# once three cells have: what hung once is often called again.
IMPATIENT_SECONDS = 2.0
MANY_HUNG = 3
ERROR_CHARACTERS = 300  # of a locked cell's error, in the log


@dataclass(frozen=True)
class Reference:
    """Right code that takes the place of names of the student's. Its text never enters the student's kernel.

    Attributes:
        names: names of the functions and classes that the reference defines.
        source: Python code of the reference, which uses what the notebook's locked cells define.
        imitates: whether the reference's functions return arrays, lists or tensors as the student's own do.
        offered: Python code of functions, which runs by itself in another kernel: the student's kernel gets proxies only. Empty
            where the code must live beside the student's: classes, and what a model is made of.
    """

    names: tuple[str, ...]
    source: str
    imitates: bool = False
    offered: str = ""


@dataclass(frozen=True)
class RunCell:
    """One code cell of a submission.

    Attributes:
        id: id of the cell in the notebook.
        source: code that is executed.
        is_students: whether the student could change the cell; a locked cell that fails before any of theirs has run is the machine's failure.
        is_needed: whether later cells or graders may need the cell; the others are executed at most once, to be seen.
        seconds: time that the cell may take.
        task: slug of the answer that the cell is or follows.
        reference: right code that takes the cell's place; None if the cell itself is executed.
    """

    id: str
    source: str
    is_students: bool
    is_needed: bool
    seconds: float
    task: str = ""
    reference: Reference | None = None


@dataclass
class NotebookRun:
    """Executes a notebook's cells and keeps a kernel in which they have run.

    Attributes:
        cells: code cells in the notebook's order.
        limits: limits of time, memory, processes, disk and output of the submission.
        backend: Keras backend.
        files: name -> content of files beside the notebook.
        stopped: cell id -> why the cell is never run: `timeout`, `died` or the name of a bound. Some may be known beforehand.
        deadline: time by `time.monotonic()` after which nothing more is started.
        hidden: folders that no kernel may see.
        accepted: guarantees of the seal that are knowingly done without.
        host: makes the functions that the student's code is given as proxies; None if there are none.
        kernels: makes the kernels, from the arguments of `KernelSession`.
        results: cell id -> what became of the cell.
        generation: number that changes with each kernel; 0 before the first one.
    """

    cells: Sequence[RunCell]
    limits: Limits
    backend: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    deadline: float = 0.0
    stopped: dict[str, str] = field(default_factory=dict)
    hidden: Sequence[str] = ()
    accepted: Collection[str] = ()
    host: ProxyHost | None = None
    kernels: Kernels = KernelSession

    results: dict[str, CellResult] = field(default_factory=dict, init=False)
    generation: int = field(default=0, init=False)
    _uncounted: int = field(default=0, init=False)  # of the generations: those that the student's code didn't end
    _session: KernelSession | None = field(default=None, init=False)
    _students_cells: list[str] = field(default_factory=list, init=False)  # that have run in the newest kernel

    def __post_init__(self) -> None:
        self.deadline = self.deadline or time.monotonic() + self.limits.submission_seconds

    def __enter__(self) -> NotebookRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the kernel; what is asked or shown after this starts another."""
        self._drop()

    def renew(self) -> None:
        """End the kernel; the next question starts another. Unlike a kernel that the student's code ended, it isn't counted."""
        self._drop()
        self.generation += 1  # what was made in it is gone at once
        self._uncounted += 2  # this generation without a kernel, and the next one

    def execute(self) -> None:
        """Execute every needed cell once.

        Raises:
            MachineError: no kernel, or a locked cell failed before any of the student's code ran.
        """
        try:
            self._replay(upto=0)
            self._run_all({cell.id for cell in self.cells if cell.is_needed})
        except AnswerError:  # out of time or of restarts: every question from here on says so
            pass

    def show(self, ids: Collection[str], lost: Collection[str] = ()) -> None:
        """Execute cells that are not needed, for their outputs; what goes wrong in them is of no consequence.

        Args:
            ids: ids of the cells.
            lost: slugs of the tasks whose answers have hung or ended a kernel.
        """
        if ids:
            self.cells = [
                replace(cell, seconds=min(cell.seconds, IMPATIENT_SECONDS))
                if cell.task in lost and not cell.is_needed
                else cell
                for cell in self.cells
            ]
            with contextlib.suppress(AnswerError, MachineError):
                self._run_all(ids)

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask the resident of a kernel in which the cells have run.

        A request with a `training_share` may take that share of the time of a training.

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
        share = float(request.get("training_share", 0.0))
        is_training = share > 0
        seconds = share * self.limits.training_seconds if is_training else self.limits.answer_seconds
        seconds = min(seconds, max(0.1, self.deadline - time.monotonic()))
        try:
            return session.ask(request, seconds, self.host.relay_for(session) if self.host else None)
        except Unanswered as failure:
            reason = failure.reason
            if reason != "timeout":
                reason = self._drop() or reason
            elif not session.is_responsive():  # it wasn't interrupted cleanly
                self._drop()
            if is_training and reason == "timeout":
                raise _training_stopped(seconds) from None
            raise stop_error(reason, seconds) from None

    # ------------------------------------------------------------------------------------------------------------------
    def _run_all(self, ids: Collection[str]) -> None:
        for index, cell in enumerate(self.cells):
            if cell.id in ids and cell.id not in self.results and cell.id not in self.stopped:
                self._run_cell(index, cell)

    @property
    def _is_running(self) -> bool:
        """Whether there is a kernel; a type checker doesn't see that running a cell may end it."""
        return self._session is not None

    def _replay(self, upto: int) -> None:
        """Start a fresh kernel in which the needed cells before index `upto` have run."""
        self._drop()
        if self.generation - self._uncounted > self.limits.restarts:
            raise KernelGone(
                Text(
                    f"Your notebook ended its kernel more than {self.limits.restarts} times; the rest was not evaluated.",
                    f"노트북이 커널을 {self.limits.restarts}번 넘게 끝냈습니다. 나머지는 평가하지 않았습니다.",
                )
            )
        self.generation += 1
        self._students_cells.clear()
        session = self.kernels(self.limits, self.backend, self.files, self.hidden, self.accepted)
        self._session = session.__enter__()
        for index, cell in enumerate(self.cells[:upto]):
            if cell.is_needed and cell.id not in self.stopped:
                self._run_cell(index, cell)
                if not self._is_running:  # a cell that was harmless before ended this kernel: leave it out from now on
                    self._replay(upto)
                    return

    def _run_cell(self, index: int, cell: RunCell) -> None:
        self._check_time()
        if self._session is None:
            self._replay(upto=index if cell.is_needed else len(self.cells))
        session = self._session
        assert session is not None
        hung = list(self.stopped.values()).count("timeout")
        if not cell.is_needed and hung >= MANY_HUNG:
            return
        seconds = self._seconds_for(cell, is_impatient=not cell.is_needed and hung > 0)
        if cell.reference is None and cell.is_students:
            self._students_cells.append(cell.id)
        if not cell.is_needed:  # no other cell follows in this kernel: they have run, and nothing is asked any more
            with contextlib.suppress(Unanswered):  # `is_responsive` finds out
                session.ask({"do": "show"}, seconds)
        result = (
            self._replace(session, cell.reference, seconds) if cell.reference else session.run(cell.source, seconds)
        )
        bound = self._drop_if_unfit(session, result)
        if result.exit == "error" and cell.is_needed and self._is_the_courses_own_failure(cell):
            self._drop()
            reason = ": ".join(result.error or ("no error was shown",))[:ERROR_CHARACTERS]
            raise MachineError(f"The locked cell {cell.id!r} failed: {reason}")
        has_stopped = result.exit in ("timeout", "died")
        if not cell.is_students and (failure := result.exit if has_stopped else self._remember(session, seconds)):
            self._blame_for(index, failure)
            self._run_cell(index, cell)
            return
        if has_stopped:
            self.stopped[cell.id] = "timeout" if result.exit == "timeout" else bound or result.exit
            result.outputs.append(_stop_note(self.stopped[cell.id], seconds))
        self.results.setdefault(cell.id, result)

    def _seconds_for(self, cell: RunCell, is_impatient: bool) -> float:
        """Return the seconds that a cell may take now."""
        seconds = min(cell.seconds, max(0.1, self.deadline - time.monotonic()))
        if not cell.is_students and self._students_cells:  # what the student's cells left behind may hold it up
            seconds = min(seconds, self.limits.cell_seconds)
        return min(seconds, IMPATIENT_SECONDS) if is_impatient else seconds

    def _drop_if_unfit(self, session: KernelSession, result: CellResult) -> str:
        """End a kernel that a cell has ended or made unusable, and say so in the cell's result; return what `_drop` does."""
        if result.exit == "timeout":
            session.interrupt()
        if result.exit != "died" and session.is_responsive():
            return ""
        if result.exit in ("ok", "error"):
            result.exit = "died"
        return self._drop()

    def _replace(self, session: KernelSession, reference: Reference, seconds: float) -> CellResult:
        """Put a reference in the place of the student's names; what that raises is the student's doing.

        Raises:
            MachineError: the other kernel can't make the functions that are offered.
        """
        request: dict[str, Any] = {
            "do": "replace",
            "names": reference.names,
            "imitate": reference.imitates,
            "offered": {},
        }
        if reference.offered and self.host:
            request["offered"] = {name: self.host.offer(reference.offered, name) for name in reference.names}
        else:
            request["code"] = without_source(reference.source)
        try:
            reply = session.ask(request, seconds)
        except Unanswered as failure:
            return CellResult("timeout" if failure.reason == "timeout" else "died")
        return CellResult("error" if "error" in reply else "ok")

    def _blame_for(self, index: int, exit_reason: str) -> None:
        """Leave out the student's cells that ran in a kernel before a locked cell failed there; without any the machine failed."""
        own = list(self._students_cells)
        self._drop()
        if not own:
            raise MachineError(f"The locked cell {self.cells[index].id!r} did not finish ({exit_reason}).")
        for cell_id in own:
            self.stopped.setdefault(cell_id, exit_reason)

    def _is_the_courses_own_failure(self, cell: RunCell) -> bool:
        """Whether nothing of the student's can be why a cell failed: no cell that ran or was left out, and no file."""
        return not (cell.is_students or self._students_cells or self.stopped or self.files)

    def _remember(self, session: KernelSession, seconds: float) -> str:
        """Let the kernel remember what a locked cell defined; return why it couldn't, empty if it could."""
        try:
            session.ask({"do": "remember"}, seconds)
        except Unanswered as failure:
            return "died" if failure.reason == "garbled" else failure.reason
        return ""

    def _check_time(self) -> None:
        if time.monotonic() >= self.deadline:
            self._drop()
            raise AnswerTimeout(
                Text(
                    f"The time for the whole notebook ({self.limits.submission_seconds:g} s) was used up before this.",
                    f"노트북 전체에 주어진 시간({self.limits.submission_seconds:g}초)을 다 써서 평가하지 못했습니다.",
                )
            )

    def _drop(self) -> str:
        """End the kernel; return which bound it had met or how it had crashed, empty if that isn't worth telling."""
        session, self._session = self._session, None
        if session is None:
            return ""
        session.close()
        return session.reason if session.reason in _BOUNDS else ""


_BOUNDS = {
    "memory": Text("it used more memory than is allowed", "허용된 것보다 많은 메모리를 썼습니다"),
    "cpu": Text("it used more processor time than is allowed", "허용된 것보다 많은 프로세서 시간을 썼습니다"),
    "tasks": Text(
        "it started more processes or threads than are allowed", "프로세스나 스레드를 너무 많이 시작했습니다"
    ),
    "disk": Text("it wrote more files or bytes than are allowed", "파일을 너무 많이 썼습니다"),
    "signal SIGSEGV": Text("it crashed (segmentation fault)", "비정상 종료했습니다(세그멘테이션 오류)"),
    "signal SIGABRT": Text("it crashed (abort)", "비정상 종료했습니다(abort)"),
}


def stop_error(reason: str, seconds: float) -> AnswerError:
    """Return the error of code that was stopped: `timeout` after `seconds`, else it ended or spoilt its kernel."""
    if reason == "timeout":
        return AnswerTimeout(
            Text(
                f"Stopped after {seconds:g} s without an answer: a loop without an end, or too much work?",
                f"{seconds:g}초 동안 답이 없어 중단했습니다. 끝나지 않는 반복문이 있거나 계산이 너무 많나요?",
            )
        )
    if reason in _BOUNDS:
        why = _BOUNDS[reason]
        return KernelGone(
            Text(f"Your code ended its kernel: {why.en}.", f"여러분의 코드가 커널을 끝냈습니다. {why.ko}.")
        )
    return KernelGone(
        Text(
            "Your code ended the kernel or made it unusable: exit(), a crash, or too much memory?",
            "여러분의 코드가 커널을 끝냈거나 쓸 수 없게 만들었습니다. exit(), 비정상 종료, 메모리 부족이 아닌가요?",
        )
    )


def _training_stopped(seconds: float) -> AnswerTimeout:
    return AnswerTimeout(
        Text(
            f"The training was not done after {seconds:g} s and was stopped: fewer epochs, a smaller model, or a loop "
            "without an end?",
            f"{seconds:g}초가 지나도 학습이 끝나지 않아 중단했습니다. 에포크를 줄이거나 모델을 작게 하세요. 끝나지 않는 반복문은 없나요?",
        )
    )


def _stop_note(reason: str, seconds: float) -> NotebookNode:
    text = stop_error(reason, seconds).text.en
    return nbformat.v4.new_output("error", ename="Stopped", evalue=text, traceback=[text])
