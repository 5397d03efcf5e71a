"""Running a notebook's cells in a namespace of the test's own process."""

from __future__ import annotations

import linecache
from typing import Any


def run_cell(code: str, names: dict[str, Any]) -> None:
    """Execute a cell's code so that its lines can be looked up, as the public checks do to explain an error."""
    file_name = f"<cell {len(linecache.cache)}>"
    linecache.cache[file_name] = (len(code), None, [line + "\n" for line in code.split("\n")], file_name)
    exec(compile(code, file_name, "exec"), names)
