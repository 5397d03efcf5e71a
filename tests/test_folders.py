from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.base.folders import remove_folder


@pytest.mark.parametrize("depth", [0, 3, 3000])
def test_a_folder_is_removed_however_deep_it_is(tmp_path: Path, depth: int) -> None:
    top = tmp_path / "top"
    top.mkdir()
    here = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    remove_folder(str(top))
    assert not top.exists()


def test_a_folder_that_is_gone_already_is_no_error(tmp_path: Path) -> None:
    remove_folder(str(tmp_path / "gone"))
