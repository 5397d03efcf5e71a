"""The key of a verdict: a hash of everything that it depends on."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path
from typing import Any

from autograder.sources.grading import Grading
from autograder.submissions.submission import Submission

PACKAGE = Path(__file__).resolve().parent.parent
# What a student's arrays and their comparison come from.
DECISIVE = ("numpy", "keras", "tensorflow", "ipykernel", "nbformat")
DECISIVE_ON = {"jax": ("jax", "jaxlib"), "torch": ("torch",)}


def verdict_key(grading: Grading, submission: Submission) -> str:
    """Return the SHA-256, in hexadecimal, of everything that a verdict depends on.

    Args:
        grading: every field that compares counts.
        submission: the student's cells and files, the release's language, and notes on what was taken in.
    """
    return _hash(
        {
            "cells": [(cell.id, cell.cell_type, cell.source) for cell in submission.cells],
            "language": submission.language,
            "notes": [(note.en, note.ko) for note in submission.notes],
            "handed in beside": submission.files,
            "grading": {f.name: getattr(grading, f.name) for f in fields(grading) if f.compare},
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


def _file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash(parts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=_plain).encode("ascii")).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(type(value).__name__)
