"""What is declared, what is pinned and what is said of it: the same packages everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PINNED = (ROOT / "constraints.txt").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DECLARED = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
EXTRAS = {
    extra: [Requirement(line) for line in lines] for extra, lines in PROJECT["project"]["optional-dependencies"].items()
}
HASHES = re.compile(r"(?: \\\n +--hash=sha256:[0-9a-f]{64})+")


def sections() -> dict[str, dict[str, set[str]]]:
    """Return the words after each `#:` -> package -> its pinned versions, of which each has hashes."""
    found: dict[str, dict[str, set[str]]] = {}
    for words, text in re.findall(r"^#: (.+)\n((?:(?!#: ).*\n)*)", PINNED, re.MULTILINE):
        lines = [line for line in HASHES.sub("", text).split("\n") if line]
        assert len(HASHES.findall(text)) == len(lines), words
        pins = [re.fullmatch(r"([a-z0-9.-]+)==([\w.+]+)(?: ; .+)?", line) for line in lines]
        assert all(pins), lines
        here = found.setdefault(words, {})
        for pin in filter(None, pins):
            here.setdefault(pin[1], set()).add(pin[2])
    return found


def installed_with(extra: str) -> dict[str, set[str]]:
    """Return what `EXTRAS=<extra> ./run install` installs: package -> versions."""
    return {
        name: versions
        for words, pins in sections().items()
        if {"dependencies", extra, "torch-cuda" if extra == "backends" else extra} & set(words.split())
        for name, versions in pins.items()
    }


def test_everything_declared_is_pinned_within_its_range_and_with_hashes() -> None:
    for extra, requirements in {"": DECLARED, **EXTRAS}.items():
        pins = installed_with(extra)
        for requirement in requirements:
            versions = pins.get(canonicalize_name(requirement.name), set())
            assert versions and all(requirement.specifier.contains(version) for version in versions), requirement


def test_each_pin_belongs_to_what_is_declared() -> None:
    words = {word for section in sections() for word in section.split()}
    assert words == {"dependencies", "torch-cpu", "torch-cuda", *EXTRAS}
    names = [name for words, pins in sections().items() for name in pins if words != "torch-cpu"]
    assert len(names) == len(set(names))


def test_dependencies_are_ranges_that_hold_their_pins() -> None:
    """Exact pins in the package's metadata would forbid to install it beside anything else."""
    pins = installed_with("")
    for requirement in DECLARED:
        lowest = [Version(each.version) for each in requirement.specifier if each.operator == ">="]
        assert len(lowest) == 1 and not any(each.operator in ("==", "~=") for each in requirement.specifier)
        assert lowest[0] <= min(map(Version, pins[canonicalize_name(requirement.name)])), requirement


def test_what_builds_the_package_is_the_one_that_is_installed() -> None:
    pins = installed_with("")
    assert [
        f"{name}=={version}" for name, versions in pins.items() if name == "setuptools" for version in versions
    ] == (PROJECT["build-system"]["requires"])


def test_students_get_the_versions_that_grade_them() -> None:
    pins = installed_with("")
    lines = (ROOT / "assignments" / "requirements.txt").read_text(encoding="utf-8").splitlines()
    students = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert {"jupyterlab", "keras", "tensorflow", "numpy", "matplotlib", "nbgrader"} <= set(students)
    assert {name: pins.get(name) for name in students} == {name: {version} for name, version in students.items()}


def test_the_page_of_dependencies_lists_exactly_what_is_declared() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for title, requirements in (("Dependencies", DECLARED), ("Extras", [r for each in EXTRAS.values() for r in each])):
        table = page.split(f"\n## {title}\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
        listed = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
        assert sorted(listed) == sorted(canonicalize_name(requirement.name) for requirement in requirements), title
        cells = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
        assert all(len(row) == 4 and all(cell.strip() for cell in row) for row in cells)
