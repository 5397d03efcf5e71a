"""An autograding service's container, imitated: root without namespaces and Landlock, two gigabytes, half a core.

`python -m benchmarks.container [ASSIGNMENT …]` builds Gradescope's zip, lays it out as Gradescope does, hands in the sample class one by
one, and compares each student's points with those of `nbgrader autograde` for the same student and secret. It needs root; cgroups of
version 1 or 2 that root may divide bound memory and processor time, and where there are none it says so. What the container installs is
imitated by an environment that shows this one's packages.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.commands import demo
from autograder.gradebook.release import build
from autograder.gradebook.scores import scores
from autograder.platforms.bundle import Platform, bundle
from autograder.platforms.gradescope import EXECUTABLE, scripts
from autograder.sources.course import Course, load_course

ROOT = Path(__file__).resolve().parent.parent
PLAIN = ROOT / "tests" / "hostile" / "plain_container.py"
SUPERVISE = ROOT / "tests" / "hostile" / "supervise.py"
GIBIBYTE = 1 << 30
NOW = "2026-11-20T12:00:00.000000-08:00"


@dataclass(frozen=True)
class Run:
    """One submission's run: exit status, what was written, what was printed, and seconds."""

    status: int
    result: dict[str, Any] | None
    said: str
    seconds: float


class Container:
    """A folder laid out as Gradescope lays out `/autograder`, and an environment as its `setup.sh` leaves it."""

    def __init__(self, base: Path, archive: Path, groups: tuple[str, ...] = ()) -> None:
        """Unpack the zip as Gradescope does.

        Args:
            base: an empty folder that every user can reach.
            archive: the zip.
            groups: cgroup folders in which the runs are put.
        """
        self.home = base / "autograder"
        self.environment = base / "environment"
        self._groups = groups
        (self.home / "source").mkdir(parents=True)
        with zipfile.ZipFile(archive) as found:
            found.extractall(self.home / "source")
        for name in EXECUTABLE:
            (self.home / "source" / name).chmod(0o755)
        (self.home / "run_autograder").write_bytes((self.home / "source" / "run_autograder").read_bytes())
        (self.home / "run_autograder").chmod(0o755)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(self.environment)], check=True)
        packages = next(self.environment.glob("lib/python*/site-packages"))
        own = next(path for path in sys.path if path.endswith("site-packages"))
        (packages / "shown.pth").write_text(f"{own}\n")  # its packages, but not what is installed in place

    def grade(
        self, files: Mapping[str, bytes], student: str, *, metadata: Mapping[str, Any] | None = None, plain: bool = True
    ) -> Run:
        """Hand in files and run the autograder.

        Args:
            files: name -> content.
            student: the student's email.
            metadata: what differs from a first submission's.
            plain: whether the container has no more than a container's usual rights.
        """
        for name in ("submission", "results"):
            folder = self.home / name
            if folder.exists():
                subprocess.run(["rm", "-rf", str(folder)], check=True)
            folder.mkdir()
        for name, content in files.items():
            (self.home / "submission" / name).write_bytes(content)
        about = {
            "created_at": NOW,
            "users": [{"email": student, "id": 1, "name": student}],
            "previous_submissions": [],
            **(metadata or {}),
        }
        (self.home / "submission_metadata.json").write_text(json.dumps(about))
        command = [sys.executable, "-P", str(PLAIN)] if plain else []
        command.append(str(self.home / "run_autograder"))
        enter = [f"echo 0 > {group}/cgroup.procs" for group in self._groups]
        request = {
            "command": ["sh", "-c", " && ".join([*enter, 'exec "$0" "$@"']), *command],
            "cwd": str(self.home),
            "env": {
                "PATH": os.environ["PATH"],
                "HOME": "/root",
                "AUTOGRADER_HOME": str(self.home),
                "AUTOGRADER_ENVIRONMENT": str(self.environment),
                "AUTOGRADER_SEAL_WITHOUT": "memory-group" if plain else "",
            },
            "seconds": 2400,
            "uid": None,
            "opens": plain,
            "reach": str(ROOT),
        }
        asked = self.home.parent / "request.json"
        asked.write_text(json.dumps(request))
        began = time.monotonic()
        done = subprocess.run([sys.executable, str(SUPERVISE), str(asked)], capture_output=True, text=True, check=True)
        seconds = time.monotonic() - began
        reply = json.loads(done.stdout)
        written = self.home / "results" / "results.json"
        result = json.loads(written.read_text()) if written.exists() else None
        if reply["processes"]:
            raise RuntimeError(f"processes were left: {reply['processes']}")
        return Run(reply["status"], result, reply["said"], seconds)


@contextmanager
def container(archive: Path, groups: tuple[str, ...] = ()) -> Generator[Container]:
    """Yield a container that has unpacked a zip, not below a folder that is closed to sealed processes as `/tmp` is."""
    with tempfile.TemporaryDirectory(prefix="container-", dir="/var/lib") as name:
        Path(name).chmod(0o755)
        yield Container(Path(name), archive, groups)


def write_zip_without_requirements(course: Course, assignment: str, path: Path, platform: Platform) -> None:
    """Write Gradescope's zip as `autograder gradescope` does, but without asking pip's index for hashes."""
    contents = bundle(course, assignment, platform) | scripts(course, assignment, platform, (*EXECUTABLE, "README.md"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


@contextmanager
def bounded(memory_bytes: int, cores: float) -> Generator[tuple[str, ...]]:
    """Yield cgroup folders that bound memory and processor time together; none where root may not make them."""
    name = f"container-{os.getpid()}"
    period = 100_000
    if Path("/sys/fs/cgroup/memory").is_dir():
        wanted = {
            f"/sys/fs/cgroup/memory/{name}": {"memory.limit_in_bytes": str(memory_bytes)},
            f"/sys/fs/cgroup/cpu/{name}": {
                "cpu.cfs_period_us": str(period),
                "cpu.cfs_quota_us": str(int(cores * period)),
            },
        }
    else:
        wanted = {
            f"/sys/fs/cgroup/{name}": {"memory.max": str(memory_bytes), "cpu.max": f"{int(cores * period)} {period}"}
        }
    made: list[str] = []
    try:
        for folder, settings in wanted.items():
            os.mkdir(folder)
            made.append(folder)
            for setting, value in settings.items():
                Path(folder, setting).write_text(value)
    except OSError as error:
        print(f"no bounds: {error}", file=sys.stderr)
    try:
        yield tuple(made)
    finally:
        for folder in made:
            for _ in range(50):
                try:
                    os.rmdir(folder)
                    break
                except OSError:
                    time.sleep(0.1)


def peak_bytes(groups: tuple[str, ...]) -> int:
    """Return the most memory that the runs in cgroups have used at once, 0 if nobody counts."""
    for group in groups:
        for name in ("memory.max_usage_in_bytes", "memory.peak"):
            if Path(group, name).exists():
                return int(Path(group, name).read_text())
    return 0


def main() -> None:
    """Compare each student's points, and print seconds and memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignments", nargs="*", default=["02-attention", "06-transformer"])
    parser.add_argument("--cores", type=float, default=0.5)
    parser.add_argument("--gigabytes", type=float, default=2.0)
    parser.add_argument("--students", type=int, default=18, help="the first of the sample class")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="platform-") as name:
        course = load_course(demo.copy_course(load_course(ROOT), Path(name, "course")))
        build(course, chosen.assignments)
        for assignment in chosen.assignments:
            compare(course, assignment, Path(name), chosen)


def compare(course: Course, assignment: str, folder: Path, chosen: argparse.Namespace) -> None:
    """Grade the sample class in both ways and print a line a student."""
    students = demo.sample_class(course, assignment)[: chosen.students]
    demo.hand_in(course.root, assignment, students)
    demo.run_nbgrader(course.root, "autograde", assignment)
    expected = {row.student: row.total for row in scores(course, assignment)}
    platform = Platform(600, chosen.cores, int(chosen.gigabytes * GIBIBYTE))
    archive = folder / f"{assignment}.zip"
    write_zip_without_requirements(course, assignment, archive, platform)
    print(
        f"{assignment}: {chosen.gigabytes:g} GiB, {chosen.cores:g} cores, the zip {archive.stat().st_size / 1e6:.1f} MB"
    )
    with ExitStack() as stack:
        groups = stack.enter_context(bounded(platform.memory_bytes, chosen.cores))
        made = stack.enter_context(container(archive, groups))
        equal = 0
        for student in students:
            run = made.grade(student.files, student.id)
            points = None if run.result is None else run.result["score"]
            equal += points == expected[student.id]
            print(
                f"  {student.id:28} {points!s:>6} {expected[student.id]:6g} {run.seconds:6.1f} s {'' if run.result else run.said[-300:]}"
            )
        print(f"  {equal} of {len(students)} equal; at most {peak_bytes(groups) / 2**20:.0f} MiB")


if __name__ == "__main__":
    main()
