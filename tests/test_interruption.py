"""Signals that end a run are held back until it can be ended."""

from __future__ import annotations

import os
import signal
import threading
import weakref
from collections.abc import Iterator

import pytest

from autograder.gradebook.interruption import Interruption

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def send(number: signal.Signals = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.fixture(autouse=True)
def usual_handlers() -> Iterator[None]:
    """What a process begins with in the foreground, however these tests were started."""
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL, signal.SIGHUP: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def handled() -> Iterator[Interruption]:
    interruption = Interruption()
    with interruption.handled():
        yield interruption


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_waits_for_the_place_where_the_run_can_be_ended(handled: Interruption, number: signal.Signals) -> None:
    with handled.allowed():
        pass
    send(number)
    with pytest.raises(KeyboardInterrupt), handled.allowed():
        pytest.fail("must not be begun")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_ends_what_can_be_ended(handled: Interruption, number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt), handled.allowed():
        send(number)
        pytest.fail("must have been ended")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_is_lost_in_a_callback_ends_the_run_at_its_next_chance(handled: Interruption) -> None:
    class Referred:
        pass

    referred = Referred()
    reference = weakref.ref(referred, lambda _: send())
    with handled.allowed():
        del referred
    assert reference() is None
    with pytest.raises(KeyboardInterrupt), handled.allowed():
        pytest.fail("must not be begun")


def test_a_second_signal_ends_the_run_at_once(handled: Interruption) -> None:
    send()
    with pytest.raises(KeyboardInterrupt):
        send(signal.SIGTERM)


def test_waiting_is_ended(handled: Interruption) -> None:
    main = threading.main_thread().ident
    assert main is not None
    threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGTERM)).start()
    with pytest.raises(KeyboardInterrupt):
        handled.sleep(60)


def test_the_handlers_before_come_back_and_those_of_others_stay() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = {number: signal.getsignal(number) for number in NUMBERS}
    with Interruption().handled():
        changed = [number for number in NUMBERS if signal.getsignal(number) != before[number]]
    assert changed == [signal.SIGINT, signal.SIGTERM]
    assert {number: signal.getsignal(number) for number in NUMBERS} == before


def test_another_thread_than_the_main_one_handles_no_signal() -> None:
    found: list[object] = []

    def look() -> None:
        with Interruption().handled(), Interruption().allowed():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]
