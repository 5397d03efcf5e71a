"""Folders that a student's code has written to."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess


def remove_folder(folder: str) -> None:
    """Remove a folder as far as possible, also one that is deeper than Python's stack and descriptors reach."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        subprocess.run(["rm", "-rf", "--", folder], stdin=subprocess.DEVNULL, capture_output=True)
