"""The key of a verdict: a hash of everything that it depends on."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from dataclasses import asdict, fields
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path
from typing import Any

from autograder.sources.course import Course
from autograder.sources.notebooks import course_files
from autograder.submissions.intake import Submission

# Fields of `Course` that change no verdict, and the limits, of which only the assignment's own count. Every other field
# does, also one that is added later.
WITHOUT_INFLUENCE = {
    *("id", "root", "languages", "english_only", "bonus", "database_url", "scheduler", "workers"),
    *("limits", "limits_by_assignment"),
}
PACKAGE = Path(__file__).resolve().parent.parent
# What a student's arrays and their comparison come from.
DECISIVE = ("numpy", "keras", "tensorflow", "ipykernel", "nbformat")
DECISIVE_ON = {"jax": ("jax", "jaxlib"), "torch": ("torch",)}


def verdict_key(course: Course, submission: Submission, student: str) -> str:
    """Return the SHA-256, in hexadecimal, of everything that a verdict depends on.

    Args:
        course: its configuration, and the assignment's files with those that assignments share.
        submission: the student's cells, files, language and the notes on them.
        student: the graders' random inputs depend on it.
    """
    source = submission.source
    return _hash(
        {
            "cells": [(cell.id, cell.cell_type, cell.source) for cell in submission.cells],
            "language": submission.language,
            "notes": [(note.en, note.ko) for note in submission.notes],
            "handed in beside": {
                name: hashlib.sha256(content).hexdigest() for name, content in submission.files.items()
            },
            "student": student,
            "assignment": source.assignment,
            "files": _hash(_files(course.source_paths[source.assignment].parent)),
            "limits": asdict(course.limits_of(source.assignment)),
            "course": {f.name: getattr(course, f.name) for f in fields(course) if f.name not in WITHOUT_INFLUENCE},
            "programs": _programs(),
        }
    )


def versions(backend: str = "") -> dict[str, str]:
    """Return what must be the same wherever a class is graded: this package's content and what decides a verdict.

    Args:
        backend: Keras backend of the students' kernels, if there are any.
    """
    found = {
        "autograder's sources": _hash(_package())[:16],
        "Python": platform.python_version(),
        "machine": platform.machine(),
    }
    return found | {name: _version(name) for name in (*DECISIVE, *DECISIVE_ON.get(backend, ()))}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _package() -> dict[str, str]:
    return {str(path.relative_to(PACKAGE)): _file_hash(path) for path in PACKAGE.rglob("*.py")}


@cache
def _programs() -> str:
    """Return the hash of what grades: this package, the interpreter and everything installed beside it."""
    return _hash(
        {
            "package": _package(),
            "python": sys.version,
            "machine": platform.machine(),
            "installed": sorted({f"{found.name}=={found.version}" for found in distributions()}),
        }
    )


def _files(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder.parent)): _file_hash(path) for path in course_files(folder)}


def _file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash(parts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()
