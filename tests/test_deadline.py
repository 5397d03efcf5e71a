"""Work in a process of its own ends, whatever it is at."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil
import pytest

from autograder.gradebook.deadline import result_of_fork

ROOM = 1 << 30


def raises() -> str:
    raise ValueError("x")


def loops() -> str:
    while True:
        with suppress(BaseException):
            time.sleep(1)


def test_a_text_comes_back_whole() -> None:
    text = "가\n" * 1_000_000
    assert result_of_fork(lambda: text, 60, ROOM) == text
    assert result_of_fork(lambda: "", 60, ROOM) == ""


@pytest.mark.parametrize(
    "make",
    [
        raises,
        loops,
        lambda: str(re.match("(a*)*b", "a" * 60)),  # C code that doesn't return
        lambda: "a" * (ROOM * 2),
        lambda: os._exit(0),
        lambda: str(os.kill(os.getpid(), 9)),
    ],
    ids=["raises", "loops", "backtracks", "memory", "exits", "killed"],
)
def test_what_fails_or_has_no_end_gives_nothing(make: Callable[[], Any]) -> None:
    assert result_of_fork(make, 2, ROOM) is None


def test_nothing_is_left() -> None:
    before = set(os.listdir("/proc/self/fd"))
    result_of_fork(raises, 2, ROOM)
    result_of_fork(lambda: "a", 2, ROOM)
    assert len(os.listdir("/proc/self/fd")) == len(before)
    assert not [child for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE]
