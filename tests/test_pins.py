"""One version of each package, wherever it is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def pins(lines: list[str]) -> dict[str, str]:
    found = [re.fullmatch(r"([\w.-]+)==([\w.+]+)", line.split("#")[0].strip()) for line in lines]
    return {match[1].lower().replace("_", "-"): match[2] for match in found if match}


def test_what_is_declared_is_pinned_and_the_same_everywhere() -> None:
    constraints = pins((ROOT / "constraints.txt").read_text().splitlines())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    pinned = ("test", "browser", "dev", "postgresql", "cluster", "canvas")
    declared = [*project["dependencies"], *(line for name in pinned for line in extras[name])]
    declared = [line for line in declared if not line.startswith("setuptools==")]  # `build-system` names it too
    assert len(pins(declared)) == len(declared)
    assert {name: constraints.get(name) for name in pins(declared)} == pins(declared)


def test_students_get_the_versions_that_grade_them() -> None:
    constraints = pins((ROOT / "constraints.txt").read_text().splitlines())
    students = pins((ROOT / "assignments" / "requirements.txt").read_text().splitlines())
    assert {"jupyterlab", "keras", "tensorflow", "numpy", "matplotlib", "nbgrader"} <= set(students)
    assert {name: constraints.get(name) for name in students} == students
