"""An assignment's own Python modules: its graders and its reference, imported from its folder."""

from __future__ import annotations

import hashlib
import importlib
import linecache
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType

from autograder.base.errors import CourseError

PACKAGE = re.compile(r"course_[0-9a-f]{12}\.")  # as `_package` names it


def course_module(folder: Path, name: str) -> ModuleType:
    """Return the module `<folder>/<name>.py`.

    It may import its neighbours (`from . import reference`) and what assignments share (`from .._shared import …`). Courses
    in different folders never meet, though their modules have the same names.

    Args:
        folder: the assignment's folder, e.g. `solutions/04-masks`.
        name: the module's name, e.g. `graders`.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    return importlib.import_module(f"{_package(folder.resolve().parent)}.{folder.name}.{name}")


def module_or_sentence(folder: Path, name: str) -> ModuleType:
    """Return the module `<folder>/<name>.py`, or tell its author in a sentence what keeps it from being imported.

    Args:
        folder: the assignment's folder, e.g. `solutions/04-masks`.
        name: the module's name, e.g. `graders`.

    Raises:
        CourseError: the file is missing, or it or a module that it imports is missing or raises; with the line at which this happens.
    """
    path = folder / f"{name}.py"
    if not path.is_file():
        raise CourseError(f"An assignment must have a file {name}.py. Received: no {path}. Write it, or copy it back.")
    try:
        return course_module(folder, name)
    except Exception as error:
        reason = error.msg if isinstance(error, SyntaxError) else PACKAGE.sub("", str(error))
        where, line = _place(error, folder.resolve().parent) or (str(path), 1)
        raise CourseError(
            f"{name}.py and what it imports must run without an error. Received: {type(error).__name__}: {reason}, in {where}, "
            f"line {line}: {linecache.getline(where, line).strip()!r}. Correct it, or add the file that is missing."
        ) from error


def _place(error: Exception, solutions: Path) -> tuple[str, int] | None:
    """Return the file and the line of a course at which an error was raised."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return error.filename, error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if Path(frame.filename).is_relative_to(solutions)]
    return (inside[-1].filename, inside[-1].lineno or 1) if inside else None


def _package(solutions: Path) -> str:
    """Return the name of a package that holds the modules of all assignments of one course."""
    name = f"course_{hashlib.sha256(str(solutions).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(solutions)]
        sys.modules[name] = package
    return name
