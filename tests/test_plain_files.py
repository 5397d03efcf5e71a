"""Files that somebody else may have laid are opened only if they are plain ones."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.base.plain_files import NotPlainFileError, open_plain_file


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    with open_plain_file(tmp_path / "file") as file:
        assert file.read() == b"text"


def _a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize(
    ("lay", "error"),
    [
        (lambda path: None, FileNotFoundError),
        (Path.mkdir, NotPlainFileError),
        (os.mkfifo, NotPlainFileError),
        (_a_socket, OSError),
        (lambda path: path.symlink_to("/etc/hostname"), OSError),
        (lambda path: path.symlink_to("nowhere"), OSError),
    ],
    ids=["nothing", "a folder", "a pipe", "a socket", "a link", "a broken link"],
)
def test_nothing_else_is_opened(tmp_path: Path, lay: Callable[[Path], object], error: type[OSError]) -> None:
    before = len(os.listdir("/proc/self/fd"))
    lay(tmp_path / "x")
    with pytest.raises(error):
        open_plain_file(tmp_path / "x")
    assert len(os.listdir("/proc/self/fd")) == before
