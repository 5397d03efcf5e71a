"""Landlock by its system calls: the figures, and what each ABI keeps a process from."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from autograder.sealing import landlock, linux
from autograder.sealing.landlock import Files, Ports, Scopes

NEWEST = 11


@cache
def abi_here() -> int:
    """Return this kernel's ABI, 0 without Landlock."""
    try:
        return landlock.abi_version()
    except OSError:
        return 0


def header_figures() -> dict[str, int]:
    """Return name -> figure of the C header, empty without one."""
    header = Path("/usr/include/linux/landlock.h")
    if not header.exists():
        return {}
    found = re.findall(r"#define LANDLOCK_(\w+)\s+\(1U(?:LL)? << (\d+)\)", header.read_text())
    return {name: 1 << int(bit) for name, bit in found}


def test_the_figures_are_the_headers() -> None:
    figures = header_figures()
    if not figures:
        pytest.skip("no header of Landlock: Debian's linux-libc-dev has it")
    ours = {
        f"{prefix}_{each.name}": each.value
        for prefix, kinds in (("ACCESS_FS", Files), ("ACCESS_NET", Ports), ("SCOPE", Scopes))
        for each in kinds
    }
    compared = set(ours) & set(figures)
    assert len(compared) >= 13  # what ABI 1 has
    assert {name: ours[name] for name in compared} == {name: figures[name] for name in compared}


def test_each_abi_has_what_the_ones_below_it_have() -> None:
    for abi in range(1, NEWEST):
        for rights_of in (landlock.files_of, landlock.ports_of, landlock.scopes_of):
            assert rights_of(abi) & ~rights_of(abi + 1) == 0
    assert landlock.files_of(1) == 0x1FFF and not landlock.ports_of(3) and not landlock.scopes_of(5)
    assert list(Files) == list(landlock.files_of(NEWEST)) and list(Ports) == list(landlock.ports_of(NEWEST))
    assert list(Scopes) == list(landlock.scopes_of(NEWEST + 1))  # one that isn't known yet has all that is known


def restricted(abi: int, own: Path, attempt: Callable[[], object]) -> str:
    """Return `done` or the error that an attempt meets in a process that may read everything and write below `own`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "not restricted"
        try:
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
            with landlock.Ruleset(abi, no_network=True) as ruleset:
                ruleset.allow("/", Files.EXECUTE | Files.READ_FILE | Files.READ_DIR)
                ruleset.allow(str(own), ruleset.files)
                ruleset.allow("/dev/null", ruleset.files)
                ruleset.restrict()
            answer = "done"
            attempt()
        except OSError as error:
            answer = os.strerror(error.errno or 0)
        finally:
            os.write(writing, answer.encode())
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as answers:
        return answers.read()


@pytest.mark.parametrize("abi", range(1, NEWEST + 1))
def test_an_abi_keeps_a_process_from_what_it_controls(abi: int, tmp_path: Path) -> None:
    if abi > abi_here():
        pytest.skip(f"this kernel's Landlock has ABI {abi_here()}")
    own, file = tmp_path / "own", tmp_path / "file"
    own.mkdir()
    file.write_text("text")
    (own / "file").write_text("text")
    denied, forbidden = "Permission denied", "Operation not permitted"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0autograder-test-{os.getpid()}")
        abstract.listen()
        attempts: list[tuple[Callable[[], object], str]] = [
            (lambda: file.read_text(), "done"),
            (lambda: (own / "new").write_text("x"), "done"),
            (lambda: Path("/dev/null").write_text("x"), "done"),
            (lambda: os.truncate(own / "file", 0), "done"),
            (lambda: file.write_text("x"), denied),
            (lambda: (tmp_path / "new").mkdir(), denied),
            (lambda: file.unlink(), denied),
            (lambda: (own / "new").rename(tmp_path / "moved"), denied),
            (lambda: os.truncate(file, 0), denied if abi >= 3 else "done"),
            (lambda: socket.create_connection(tcp.getsockname()).close(), denied if abi >= 4 else "done"),
            (lambda: socket.socket(socket.AF_UNIX).connect(abstract.getsockname()), forbidden if abi >= 6 else "done"),
            (lambda: os.kill(os.getppid(), signal.SIGCONT), forbidden if abi >= 6 else "done"),
        ]
        told = [restricted(abi, own, attempt) for attempt, _ in attempts]
    assert told == [answer for _, answer in attempts]


def test_what_does_not_exist_cannot_be_allowed(tmp_path: Path) -> None:
    if not abi_here():
        pytest.skip("no Landlock here")
    with landlock.Ruleset(1) as ruleset, pytest.raises(FileNotFoundError):
        ruleset.allow(str(tmp_path / "missing"), Files.READ_FILE)
