"""Kernels that known mistakes use one after the other: what one leaves, what ends a kernel, and who is asked again."""

from __future__ import annotations

import dataclasses
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from autograder.kernels import shared as shared_kernels
from autograder.kernels.channel import Unanswered
from autograder.kernels.session import KernelSession
from autograder.kernels.shared import SharedKernels
from autograder.kernels.warm import WarmConnection
from autograder.proof import check as checking
from autograder.proof.check import Case, CaseResult, with_answers
from autograder.sources.course import Course, Limits
from autograder.submissions import evaluation
from autograder.submissions.evaluation import grade

LIMITS = Limits(start_seconds=90, cell_seconds=3, answer_seconds=3, submission_seconds=120, output_bytes=10_000)
MISTAKE = Case("02-attention", "mistake", "a-mistake")


class Made:
    """In the place of a kernel's start, questions and end: what was done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started, self.ended, self.forgotten, self.paused, self.resumed = 0, 0, 0, 0, 0
        self.can_forget = self.is_fresh = self.goes_on = True
        monkeypatch.setattr(KernelSession, "__enter__", self.start)
        monkeypatch.setattr(KernelSession, "close", self.end)
        monkeypatch.setattr(KernelSession, "forget", self.forget)
        monkeypatch.setattr(KernelSession, "pause", self.pause)
        monkeypatch.setattr(KernelSession, "resume", self.resume)

    def start(self, *_: object) -> None:
        self.started += 1

    def end(self, *_: object) -> None:
        self.ended += 1

    def forget(self, *_: object) -> bool:
        self.forgotten += 1
        return self.can_forget

    def pause(self, *_: object) -> bool:
        self.paused += 1
        return self.is_fresh

    def resume(self, *_: object) -> bool:
        self.resumed += 1
        return self.goes_on


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    return Made(monkeypatch)


def test_a_kernel_that_is_closed_is_given_out_again(made: Made) -> None:
    kernels = SharedKernels()
    first = kernels(LIMITS, "tensorflow").__enter__()
    second = kernels(LIMITS, "tensorflow").__enter__()
    assert first is not second and made.started == 2
    first.close()
    assert kernels(LIMITS, "tensorflow").__enter__() is first
    assert (made.started, made.ended, made.forgotten, made.paused, made.resumed) == (2, 0, 1, 1, 1)


def test_others_limits_backends_and_files_get_a_kernel_of_their_own(made: Made) -> None:
    kernels = SharedKernels()
    kernels(LIMITS, "tensorflow").__enter__().close()
    others = [
        kernels(dataclasses.replace(LIMITS, threads=3), "tensorflow"),
        kernels(LIMITS, "jax"),
        kernels(LIMITS, "tensorflow", {}, ["/hidden"]),
        kernels(LIMITS, "tensorflow", {"weights": b""}),
    ]
    for other in others:
        other.__enter__()
    assert made.started == 5
    others[-1].close()
    assert made.ended == 1


def test_a_kernel_ends_after_many_uses(made: Made) -> None:
    kernels = SharedKernels()
    for _ in range(shared_kernels.MAX_USES + 1):
        kernels(LIMITS, "tensorflow").__enter__().close()
    assert (made.started, made.ended) == (2, 1)


def test_a_kernel_that_cannot_forget_ends(made: Made) -> None:
    kernels = SharedKernels()
    made.can_forget = False
    kernels(LIMITS, "tensorflow").__enter__().close()
    assert made.ended == 1


def test_a_kernel_that_has_used_much_ends(made: Made) -> None:
    kernels = SharedKernels()
    made.is_fresh = False
    kernels(LIMITS, "tensorflow").__enter__().close()
    assert made.ended == 1


def test_a_kernel_that_does_not_go_on_is_replaced(made: Made) -> None:
    kernels = SharedKernels()
    first = kernels(LIMITS, "tensorflow").__enter__()
    first.close()
    made.goes_on = False
    assert kernels(LIMITS, "tensorflow").__enter__() is not first
    assert (made.started, made.ended) == (2, 1)


@pytest.mark.parametrize("how", ["ask", "apply"])
def test_a_kernel_that_gave_no_answer_ends(made: Made, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    def no_answer(*_: object) -> None:
        raise Unanswered("timeout")

    monkeypatch.setattr(KernelSession, how, no_answer)
    session = SharedKernels()(LIMITS, "tensorflow").__enter__()
    with pytest.raises(Unanswered):
        if how == "ask":
            session.ask({"do": "ping"}, 1.0)
        else:
            session.apply(1, b"", 1.0, lambda *_: b"")
    session.close()
    assert (made.ended, made.forgotten) == (1, 0)


def test_a_kernel_that_showed_something_ends(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KernelSession, "ask", lambda *_: {"ok": None})
    session = SharedKernels()(LIMITS, "tensorflow").__enter__()
    session.ask({"do": "show"}, 1.0)
    session.close()
    assert made.ended == 1


def test_all_idle_kernels_can_be_ended(made: Made) -> None:
    kernels = SharedKernels()
    sessions = [kernels(LIMITS, "tensorflow").__enter__() for _ in range(3)]
    for session in sessions:
        session.close()
    kernels.close()
    assert made.ended == 3


def test_of_many_idle_kernels_the_oldest_ends(made: Made) -> None:
    kernels = SharedKernels()
    sessions = [kernels(LIMITS, "tensorflow").__enter__() for _ in range(shared_kernels.MAX_IDLE + 1)]
    for session in sessions:
        session.close()
    assert made.ended == 1
    assert kernels(LIMITS, "tensorflow").__enter__() is sessions[1]


def test_a_kernel_that_was_never_started_cannot_forget_or_wait() -> None:
    session = KernelSession(LIMITS, "tensorflow")
    assert not session.forget() and not session.pause() and not session.resume()


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch, course: object) -> Callable[..., tuple[CaseResult, list[bool]]]:
    """Grades the mistake in a worker: `shared` is what comes of it in a shared kernel; returns the result and who was asked."""

    def grade(shared: CaseResult, may_share: bool = True) -> tuple[CaseResult, list[bool]]:
        asked: list[bool] = []

        def run_case(_: object, case: Case, kernels: object = KernelSession) -> CaseResult:
            asked.append(isinstance(kernels, SharedKernels))
            return shared if asked[-1] else CaseResult(case, "", named=True, seconds=1.0)

        monkeypatch.setattr(checking, "run_case", run_case)
        monkeypatch.setattr(checking, "course_at", lambda *_: course)
        return checking._run_case_at(Path(), "tensorflow", "", MISTAKE, may_share), asked

    return grade


def test_what_comes_out_as_it_must_is_asked_once(outcomes: Callable[..., tuple[CaseResult, list[bool]]]) -> None:
    right = CaseResult(MISTAKE, "", named=True)
    assert outcomes(right) == (right, [True])


@pytest.mark.parametrize(
    "other",
    [
        CaseResult(MISTAKE, "does not miss a-line", named=True),
        CaseResult(MISTAKE, "", named=False),
        CaseResult(MISTAKE, "", named=True, misnamed=True),
        CaseResult(MISTAKE, "", named=True, follow_on=0.5),
    ],
    ids=["other-lines", "unnamed", "misnamed", "elsewhere"],
)
def test_what_does_not_is_asked_again_in_kernels_of_its_own(
    outcomes: Callable[..., tuple[CaseResult, list[bool]]], other: CaseResult
) -> None:
    result, asked = outcomes(other)
    assert result.is_perfect and asked == [True, False]


def test_what_may_not_share_has_its_own_kernels_at_once(
    outcomes: Callable[..., tuple[CaseResult, list[bool]]],
) -> None:
    assert outcomes(CaseResult(MISTAKE, "never"), may_share=False)[1] == [False]


@pytest.fixture
def kernels() -> Iterator[SharedKernels]:
    made = SharedKernels()
    yield made
    made.close()


@pytest.mark.course
def test_nothing_that_was_defined_or_made_is_left(kernels: SharedKernels) -> None:
    first = kernels(LIMITS, "tensorflow").__enter__()
    first.run("import keras\nclass Left(keras.layers.Layer):\n    pass\nsecret = 7", 20.0)
    first.run("keras.saving.register_keras_serializable('left')(Left)", 20.0)
    number = first.ask({"do": "make", "name": "Left", "args": [], "kwargs": {}}, 20.0)["ok"]
    first.ask({"do": "remember"}, 20.0)
    first.close()
    again = kernels(LIMITS, "tensorflow").__enter__()
    assert again is first
    assert again.run("secret", 20.0).exit == "error"
    assert again.run("Left", 20.0).exit == "error"
    assert "error" in again.ask({"do": "invoke", "id": number, "args": [], "kwargs": {}}, 20.0)
    shown = again.run("import keras\nprint(list(keras.saving.get_custom_objects()), len(In))", 20.0)
    assert shown.outputs[0].text.startswith("[] ")
    assert again.is_responsive()
    again.close()


@pytest.mark.course
def test_a_kernel_that_hung_is_not_given_out_again(kernels: SharedKernels) -> None:
    first = kernels(LIMITS, "tensorflow").__enter__()
    assert first.run("while True: pass", 1.0).exit == "timeout"
    first.close()
    assert kernels(LIMITS, "tensorflow").__enter__() is not first


def states_of(session: KernelSession) -> set[str]:
    """Return the states of all processes below a kernel's outermost one: `stopped`, `sleeping`, `running`."""
    assert session._child is not None
    return {process.status() for process in psutil.Process(session._child.pid).children(recursive=True)[1:]}


@pytest.mark.course
def test_a_kernel_that_waits_is_stopped_and_goes_on(kernels: SharedKernels) -> None:
    first = kernels(LIMITS, "tensorflow").__enter__()
    first.run("import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()", 20.0)
    assert psutil.STATUS_STOPPED not in states_of(first)
    first.close()
    deadline = time.monotonic() + 30.0
    while states_of(first) != {psutil.STATUS_STOPPED}:  # a signal takes a moment
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert kernels(LIMITS, "tensorflow").__enter__() is first
    assert psutil.STATUS_STOPPED not in states_of(first)
    assert first.run("print(6 * 7)", 20.0).outputs[0].text == "42\n"
    first.close()


@pytest.mark.course
def test_a_kernel_that_holds_much_memory_is_not_given_out_again(kernels: SharedKernels) -> None:
    first = kernels(LIMITS, "tensorflow").__enter__()
    first.run("import builtins, numpy\nbuiltins.much = numpy.ones(80_000_000)", 20.0)  # 0.64 of 2 GiB
    first.close()
    assert kernels(LIMITS, "tensorflow").__enter__() is not first


@pytest.mark.course
def test_a_kernel_that_ended_while_it_waited_is_replaced(kernels: SharedKernels) -> None:
    first = kernels(LIMITS, "tensorflow").__enter__()
    first.close()
    assert first._child is not None
    below = psutil.Process(first._child.pid).children(recursive=True)
    os.kill(first._child.pid, signal.SIGKILL)
    deadline = time.monotonic() + 30.0
    while any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in below):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    again = kernels(LIMITS, "tensorflow").__enter__()
    assert again is not first and again.is_responsive()
    again.close()


class Classmates:
    """Grades a class's checks one after the other, and counts the kernels that were started.

    Attributes:
        started: so many since the last look.
    """

    TASK = "leak-test"

    def __init__(self, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started = 0
        self._course = course
        start = KernelSession._start

        def counted(session: KernelSession, warm: WarmConnection) -> None:
            self.started += 1
            start(session, warm)

        monkeypatch.setattr(KernelSession, "_start", counted)

    def points(self, student: str, answer: str = "") -> float | None:
        """Return what a check earns: the solution, or another one."""
        self.started = 0
        submission = with_answers(self._course.source("04-masks"), {self.TASK: answer} if answer else {})
        grading = self._course.grading_of("04-masks", student, shows="none", tasks={self.TASK})
        return grade(grading, submission).tasks[self.TASK].points


@pytest.fixture
def classmates(course: Course, monkeypatch: pytest.MonkeyPatch) -> Classmates:
    evaluation._HOSTS.close()
    return Classmates(course, monkeypatch)


@pytest.mark.course
def test_the_functions_that_checks_are_given_live_in_a_kernel_for_many_submissions(classmates: Classmates) -> None:
    whole = classmates.points("first")
    assert classmates.started == 2
    assert whole and classmates.points("second") == whole
    assert classmates.started == 1


@pytest.mark.course
@pytest.mark.parametrize("body", ["attend(lambda x: x)", "attend('text')", "attend(np.ones((1, 4000, 4000)))"])
def test_what_a_check_does_to_them_costs_nobody_else(classmates: Classmates, body: str) -> None:
    whole = classmates.points("before")
    spoiling = f"def leaks_future(attend, seq_len, dim):\n    for _ in range(3):\n        try:\n            {body}\n        except Exception:\n            pass\n    return False\n"
    assert classmates.points("spoiler", spoiling) != whole
    assert classmates.points("after") == whole


@pytest.mark.course
def test_a_kernel_that_was_reaped_with_another_one_is_ended_too() -> None:
    sessions = [KernelSession(LIMITS, "tensorflow").__enter__() for _ in range(3)]
    first, second, third = sessions
    assert first._child is not None
    os.kill(first._child.pid, signal.SIGKILL)
    select.select([first._child], [], [], 30.0)  # until it has ended
    for ended in (second, first):
        ended.close()
    assert third.is_responsive()
    third.close()
    assert [session.reason for session in (second, third)] == ["", ""]
