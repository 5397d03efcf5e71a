"""What grades one assignment on somebody else's machine: the engine, the assignment's files, and what must be installed.

It holds the term's secret, the graders and the assignment's solution, and nothing of other assignments but what this one's
notebook holds itself.
"""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import distribution, distributions, packages_distributions
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import autograder
from autograder.base.errors import CourseError, MachineError
from autograder.sources.course import Course, Limits
from autograder.sources.notebooks import course_files

DESCRIPTION = "course.json"
# The engine depends on these for a gradebook, a command line and JupyterLab; grading one notebook does without.
_NOT_FOR_GRADING = frozenset(("jupyterlab", "latex2mathml", "nbconvert", "nbgrader", "pebble", "rich", "typer"))
PYTHONS = ("3.11", "3.12", "3.13")
_PLATFORMS = tuple(f"manylinux{kind}_x86_64" for kind in ("_2_28", "_2_27", "_2_17", "2014", "_2_12", "2010", "1"))
_INDEX_SECONDS = 600


@dataclasses.dataclass(frozen=True)
class Platform:
    """How an assignment is graded at a platform.

    Attributes:
        seconds: time after which the platform stops a grading.
        cores: number of processor cores that the container must have.
        memory_bytes: memory that the container must have.
        tries: number of gradings that one student has a day, 0 for any number.
        student: the field of a platform's user that is the student's id: `email`, `login` (the email before the @) or `name`.
    """

    seconds: int
    cores: float
    memory_bytes: int
    tries: int = 0
    student: str = "email"


def description_of(course: Course, assignment: str, platform: Platform) -> bytes:
    """Return the description that `read_description` reads.

    Raises:
        CourseError: the assignment may take longer than the platform lets it.
    """
    limits = course.limits_of(assignment)
    longest = platform.seconds - MARGIN_SECONDS
    if limits.submission_seconds > longest and "submission_seconds" in course.limits_by_assignment.get(assignment, {}):
        raise CourseError(
            f"{assignment} may take {limits.submission_seconds / 60:g} minutes, by course_config.py. Received: a platform that stops "
            f"after {platform.seconds / 60:g}. Allow it more minutes (--minutes) in a container of 2 cores or more, or grade it "
            "with `nbgrader autograde`."
        )
    trains = bool(course.source(assignment).costly)
    if trains and limits.threads > platform.cores:
        cores = "1 core" if limits.threads == 1 else f"{limits.threads} cores"
        raise CourseError(
            f"{assignment} trains on {cores}, by course_config.py. Received: a container of {platform.cores:g}. Choose a larger one "
            "and say so with --cores, or grade it with `nbgrader autograde`."
        )
    limits = dataclasses.replace(limits, submission_seconds=min(limits.submission_seconds, longest))
    return json.dumps(
        {
            "assignment": assignment,
            "course": {
                "id": course.id,
                "languages": course.languages,
                "secret": course.secret,
                "backend": course.backend,
                "limits": dataclasses.asdict(limits),
            },
            "place": dataclasses.asdict(platform),
        },
        indent=1,
    ).encode()


MARGIN_SECONDS = 60  # for the start, and for what is left to do at the end


def read_description(folder: Path) -> tuple[Course, str, Platform]:
    """Return course, assignment and platform that a bundle in a folder is for.

    Raises:
        MachineError: the bundle is damaged.
    """
    try:
        record: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        own = record["course"]
        course = Course(
            id=own["id"],
            root=folder / "course",
            languages=tuple(own["languages"]),
            secret=own["secret"],
            backend=own["backend"],
            limits=Limits(**own["limits"]),
            shows="none",
        )
        course.source(record["assignment"])
        return course, record["assignment"], Platform(**record["place"])
    except (OSError, ValueError, KeyError, TypeError, CourseError) as error:
        raise MachineError(
            f"The grader's own files must be as they were packed. Received: {folder}: {error}."
        ) from error


def bundle(course: Course, assignment: str, platform: Platform) -> dict[str, bytes]:
    """Return name -> content of everything that grades an assignment, its dependencies left out."""
    contents = {DESCRIPTION: description_of(course, assignment, platform)}
    folder = course.source(assignment).folder
    for path in course_files(folder):
        contents[f"course/solutions/{path.relative_to(folder.parent).as_posix()}"] = path.read_bytes()
    return contents | _engine()


def _engine() -> dict[str, bytes]:
    """Return the files of this package, and what its installation says of it: jupyter_client looks for our kernels there."""
    package = Path(autograder.__file__).parent
    contents = {
        f"engine/{path.relative_to(package.parent)}": path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    own = distribution(_own_name())
    head = f"engine/{canonicalize_name(own.name).replace('-', '_')}-{own.version}.dist-info"
    texts = {
        "METADATA": own.read_text("METADATA") or own.read_text("PKG-INFO")
    }  # a wheel's, or that of a folder of sources
    texts["entry_points.txt"] = own.read_text("entry_points.txt")
    for name, text in texts.items():
        if text is None:
            raise CourseError(f"autograder must be installed by pip. Received: no {name}. Install it again.")
        contents[f"{head}/{name}"] = text.encode()
    return contents


@cache
def _own_name() -> str:
    """Return under which name this package is installed: looking takes a second."""
    names = packages_distributions().get("autograder", ())
    if not names:
        raise CourseError("autograder must be installed by pip. Received: a folder of its sources alone. Install it.")
    return names[0]


def requirements(pythons: Sequence[str] = PYTHONS, tell: Callable[[str], None] = lambda line: None) -> bytes:
    """Return pip's requirements for grading: the installed versions, with the hashes of their wheels for Linux on x86_64.

    Args:
        pythons: versions of Python that may install the requirements.
        tell: called with a line about each.

    Raises:
        MachineError: pip's index gives no wheel of an installed version, or can't be reached.
    """
    hashes: dict[tuple[str, str], dict[str, set[str]]] = {}
    for python in pythons:
        tell(f"asking pip's index for the wheels of Python {python}")
        for name, version, digest in _wheels(python):
            hashes.setdefault((name, version), {}).setdefault(python, set()).add(digest)
    lines = ["# Written by autograder; pip must be given --require-hashes."]
    for (name, version), by_python in sorted(hashes.items()):
        marker = "" if len(by_python) == len(pythons) else f" ; {_marker(by_python)}"
        digests = sorted(set().union(*by_python.values()))
        lines.append(" \\\n    ".join([f"{name}=={version}{marker}", *(f"--hash=sha256:{each}" for each in digests)]))
    return ("\n".join(lines) + "\n").encode()


def _marker(pythons: Iterable[str]) -> str:
    return " or ".join(f'python_version == "{python}"' for python in sorted(pythons))


def direct_requirements() -> list[str]:
    """Return what of the engine's own dependencies grading needs, as pip's requirements."""
    found = []
    for text in distribution(_own_name()).requires or ():
        requirement = Requirement(text)
        is_extra = requirement.marker is not None and "extra" in str(requirement.marker)
        if not is_extra and canonicalize_name(requirement.name) not in _NOT_FOR_GRADING:
            found.append(str(requirement))
    return found


def _wheels(python: str) -> list[tuple[str, str, str]]:
    """Return (name, version, SHA-256) of each wheel that pip would install for a Python, without installing any."""
    with tempfile.TemporaryDirectory(prefix="ag-wheels-") as folder:
        top, pins = Path(folder, "top.txt"), Path(folder, "pins.txt")
        top.write_text("\n".join(direct_requirements()), encoding="utf-8")
        pins.write_text(
            "\n".join(f"{each.name}=={each.version}" for each in _installed_distributions()), encoding="utf-8"
        )
        command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--dry-run"]
        command += ["--ignore-installed", "--only-binary=:all:", "--target", str(Path(folder, "none")), "--report", "-"]
        command += [word for name in _PLATFORMS for word in ("--platform", name)]
        command += ["--implementation", "cp", "--python-version", python, "-c", str(pins), "-r", str(top)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_INDEX_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise MachineError(f"pip's index gave no answer within {_INDEX_SECONDS} s. Try again.") from error
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if not line.startswith("WARNING")]
        said = re.sub(r"\s+", " ", " ".join(errors))[-600:]
        raise MachineError(
            f"pip could not find the wheels for Python {python}. It said: {said} Nothing was written; try again."
        )
    return [
        (canonicalize_name(each["metadata"]["name"]), each["metadata"]["version"], _digest(each["download_info"]))
        for each in json.loads(done.stdout)["install"]
    ]


def _installed_distributions() -> list[Any]:
    """Return the installed distributions but this one; not those that setuptools carries along and adds to the path."""
    folders = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    return [
        each for each in distributions(path=folders) if canonicalize_name(each.name) != canonicalize_name(_own_name())
    ]


def _digest(download: Mapping[str, Any]) -> str:
    try:
        return str(download["archive_info"]["hashes"]["sha256"])
    except KeyError as error:
        raise MachineError(
            f"pip's index must give SHA-256 hashes. Received: none for {download.get('url', 'a wheel')}."
        ) from error
