"""From a download to `submitted/<student>/<assignment>/`: planned as a whole, then written student by student."""

from __future__ import annotations

import filecmp
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.collecting.downloads import Download, Skipped, open_download
from autograder.collecting.layouts import TIMESTAMP, Handed, Layout, Version, by_name, is_called, newest, read_layout
from autograder.collecting.roster import Enrolled, Roster, name_key
from autograder.course import Course
from autograder.errors import CourseError
from autograder.intake import is_notebook

SUPERSEDED = "superseded"
# `kept`: another submission is there, and stayed; `failed`: the download couldn't be read, or there was no room.
STATES = ("new", "unchanged", "replaced", "kept", "failed")


@dataclass(frozen=True)
class Arrival:
    """What one student's folder will hold.

    Attributes:
        student: nbgrader's id.
        called: the student's name in the download.
        files: file name in `submitted` -> what of the download.
        submitted: when, None if unknown.
        is_late: whether Canvas says so.
        notes: what the instructor should know.
        trouble: what the instructor should look at.
    """

    student: str
    called: str
    files: dict[str, Version]
    submitted: datetime | None
    is_late: bool
    notes: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What will become of a download.

    Attributes:
        assignment: whose.
        kind: of the download's layout.
        arrivals: what goes where, by student id.
        unknown: names that no student of the roster has, and why.
        skipped: files that go nowhere, and why.
        missing: ids of the roster of whom nothing is in the download or in `submitted`.
    """

    assignment: str
    kind: str
    arrivals: tuple[Arrival, ...]
    unknown: tuple[Skipped, ...]
    skipped: tuple[Skipped, ...]
    missing: tuple[str, ...] = ()


@dataclass
class Collected:
    """What became of a download.

    Attributes:
        states: student -> one of `STATES`.
        faults: student -> why what was handed in couldn't be written.
    """

    plan: Plan
    states: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether everything handed in is in `submitted` now, and nothing needs a look."""
        trouble = any(arrival.trouble for arrival in self.plan.arrivals)
        return not (self.plan.unknown or self.plan.skipped or trouble or {"kept", "failed"} & set(self.states.values()))

    def record(self) -> dict[str, Any]:
        """Return everything as JSON-ready data."""
        made = self.plan
        return {
            "assignment": made.assignment,
            "layout": made.kind,
            "complete": self.is_complete,
            "students": [
                {
                    "student": arrival.student,
                    "called": arrival.called,
                    "state": self.states[arrival.student],
                    "files": {name: str(version.member.path) for name, version in arrival.files.items()},
                    "submitted": arrival.submitted.isoformat() if arrival.submitted else None,
                    "late": arrival.is_late,
                    "notes": list(arrival.notes),
                    "trouble": [*arrival.trouble, *filter(None, [self.faults.get(arrival.student)])],
                }
                for arrival in made.arrivals
            ],
            "unknown": [asdict(one) for one in made.unknown],
            "skipped": [asdict(one) for one in made.skipped],
            "missing": list(made.missing),
        }


def collect(
    course: Course,
    assignment: str,
    path: Path,
    roster_of: Callable[[str], Roster | None],
    *,
    force: bool = False,
) -> Collected:
    """Bring a zip or folder of submissions into `submitted/`.

    Args:
        course: whose.
        assignment: which.
        path: of the zip or folder.
        roster_of: returns the roster for a layout: `canvas`, `moodle` or `plain`.
        force: replace submissions that differ; what was there is moved to `superseded/`.

    Raises:
        CourseError: the download or the roster is unusable; nothing was written.
    """
    course.source(assignment)
    with open_download(path) as download:
        layout = read_layout(download.members, assignment)
        return carry_out(course, plan(course, assignment, download, layout, roster_of(layout.kind)), force=force)


def plan(course: Course, assignment: str, download: Download, layout: Layout, roster: Roster | None) -> Plan:
    """Tell what of a download goes into whose folder; nothing is written.

    Args:
        course: whose.
        assignment: which.
        download: what was handed in.
        layout: whose each file is.
        roster: who is who; Canvas's and Moodle's downloads need one.

    Raises:
        CourseError: the roster is missing, or the download is another assignment's.
    """
    notebook = course.source(assignment).name
    _check_assignment(course, assignment, layout.handed)
    if roster is None and layout.kind != "plain":
        raise CourseError(
            f"A download from {layout.kind.capitalize()} names students by its own ids. Received: no roster. Export the "
            f"gradebook of {layout.kind.capitalize()} as CSV and name it with --roster."
        )
    arrivals: dict[str, Arrival] = {}
    unknown: list[Skipped] = []
    skipped = [*download.skipped, *layout.skipped]
    found = [(one, _found(one, layout.kind, roster)) for one in layout.handed]
    named = Counter(people[0].id for _, people in found if len(people) == 1)
    for one, people in found:
        reason = _reason(people, one, layout.kind, named, roster)
        if reason:
            unknown.append(Skipped(f"{one.name}_{one.number}" if one.number else one.name, reason))
            continue
        arrival, left = _arrival(one, people[0], notebook, layout.kind)
        arrivals[arrival.student] = arrival
        skipped += left
    ordered = tuple(arrivals[student] for student in sorted(arrivals))
    possible = {person.id for _, people in found for person in people}
    missing = tuple(
        student
        for student in (roster.ids if roster else ())
        if student not in possible and not _is_collected(course.root, student, assignment)
    )
    return Plan(assignment, layout.kind, ordered, tuple(unknown), tuple(skipped), missing)


def carry_out(course: Course, made: Plan, *, force: bool = False) -> Collected:
    """Write a plan's files. What is in a student's folder stays unless `force`, and then it is moved to `superseded/`."""
    collected = Collected(made)
    for arrival in made.arrivals:
        try:
            collected.states[arrival.student] = _deliver(course.root, made.assignment, arrival, force)
        except CourseError as error:
            collected.states[arrival.student] = "failed"
            collected.faults[arrival.student] = str(error)
    return collected


def _deliver(root: Path, assignment: str, arrival: Arrival, force: bool) -> str:
    """Write one student's files beside their place, then move them there as one; return the state."""
    target = root / "submitted" / arrival.student / assignment
    partial = target.with_name(f".{assignment}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        for name, version in arrival.files.items():
            version.member.copy_to(partial / name)
        if arrival.submitted is not None:
            moment = arrival.submitted.strftime("%Y-%m-%d %H:%M:%S UTC")
            (partial / TIMESTAMP).write_text(f"{moment}\n", encoding="ascii")
        state = _state(target, partial, force)
        if state == "replaced":
            _put_aside(root, target)
        if state in ("new", "replaced"):
            partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return state


def _check_assignment(course: Course, assignment: str, handed: Sequence[Handed]) -> None:
    """Refuse a download most of whose notebooks are named as another assignment's."""
    names = [version.name for one in handed for version in one.versions]
    counts = {other: sum(is_called(name, path.stem) for name in names) for other, path in course.source_paths.items()}
    likeliest = max(counts, key=lambda other: counts[other])
    if likeliest != assignment and counts[likeliest] > 2 * counts[assignment]:
        raise CourseError(
            f"The download must be {assignment}'s. Received: {counts[likeliest]} notebooks of {likeliest} and "
            f"{counts[assignment]} of {assignment}. Name the other assignment, or the other file."
        )


def _found(one: Handed, kind: str, roster: Roster | None) -> list[Enrolled]:
    if roster is None:
        return [Enrolled(one.name)]
    if kind == "canvas":
        return roster.by_canvas_id(one.number)
    found = roster.by_participant(one.number) if kind == "moodle" else roster.by_id(one.name)
    return found or roster.by_name(one.name)


def _reason(people: Sequence[Enrolled], one: Handed, kind: str, named: Counter[str], roster: Roster | None) -> str:
    """Return why a name can't be told a student's, empty if it can."""
    files = ", ".join(version.name for version in one.versions[:3])
    if not people:
        return f"nobody in {roster.path if roster else 'the roster'} ({files})"
    if len(people) > 1:
        ids = ", ".join(person.id for person in people)
        return f"the name of {ids}: use Moodle's grading worksheet as the roster, whose Identifier tells them apart"
    student = people[0].id
    if kind == "moodle" and people[0].names and name_key(one.name) not in people[0].names:
        return f"participant {one.number} is {student} there: is it the grading worksheet of another assignment?"
    if not _is_folder_name(student):
        return f"the id {student!r} can't be a folder's name: choose another column with --match"
    return f"one of {named[student]} names that are all {student}" if named[student] > 1 else ""


def _is_collected(root: Path, student: str, assignment: str) -> bool:
    return _is_folder_name(student) and (root / "submitted" / student / assignment).exists()


def _is_folder_name(student: str) -> bool:
    return bool(student) and student[0] != "." and not set(student) & set("/\\\0") and len(student.encode()) < 250


def _arrival(one: Handed, person: Enrolled, notebook: str, kind: str) -> tuple[Arrival, list[Skipped]]:
    """Choose among a student's files: the newest version of the notebook, and what else lies beside it."""
    ours = [version for version in one.versions if is_called(version.name, notebook)]
    files: dict[str, Version] = {}
    notes: list[str] = []
    trouble: list[str] = []
    skipped: list[Skipped] = []
    if ours:
        chosen = files[f"{notebook}.ipynb"] = newest(ours)
        older = [version for version in ours if version is not chosen]
        if chosen.name != f"{notebook}.ipynb":
            notes.append(f"was called {chosen.name}")
        if older:
            notes.append(f"newest of {len(ours)} versions; not taken: {', '.join(str(v.member.path) for v in older)}")
    others = [version for version in one.versions if version not in ours]
    for name, versions in by_name(others).items():
        if ours and is_notebook(name):
            notes.append(f"another notebook, not taken: {name}")
        elif kind != "plain" and name == TIMESTAMP:
            skipped.append(Skipped(str(versions[0].member.path), "a student's own time of handing in"))
        elif not _is_folder_name(name):
            skipped.append(Skipped(str(versions[0].member.path), "a hidden file, or one with a strange name"))
        else:
            files[name] = versions[0]
            skipped += [
                Skipped(str(v.member.path), f"a second file of the name {name} from {person.id}") for v in versions[1:]
            ]
    notebooks = [name for name in files if is_notebook(name)]
    if not notebooks:
        trouble.append(f"no notebook, only {', '.join(sorted(files)) or 'nothing that can be taken'}")
    elif len(notebooks) > 1:
        trouble.append(f"none of several notebooks is called {notebook}.ipynb: {', '.join(sorted(notebooks))}")
    elif not ours:
        only = notebooks[0]
        files[f"{PurePosixPath(only).stem}.ipynb"] = files.pop(only)  # nbgrader doesn't look for `.IPYNB`
        notes.append(f"is called {only}")
    arrival = Arrival(person.id, one.name, files, person.submitted, one.is_late, tuple(notes), tuple(trouble))
    return arrival, skipped


def _state(target: Path, partial: Path, force: bool) -> str:
    """Tell a submission from the one that is there; a time that becomes known is added to the same one."""
    if not target.exists():
        return "new"
    compared = filecmp.dircmp(target, partial, ignore=[TIMESTAMP], hide=[])
    same = not (compared.left_only or compared.right_only or compared.funny_files or compared.common_dirs)
    if same and all(filecmp.cmp(target / name, partial / name, shallow=False) for name in compared.common_files):
        if (partial / TIMESTAMP).exists() and not (target / TIMESTAMP).exists():
            (partial / TIMESTAMP).rename(target / TIMESTAMP)
        return "unchanged"
    return "replaced" if force else "kept"


def _put_aside(root: Path, target: Path) -> None:
    """Move a submission to `superseded/<student>/<assignment>-<n>`."""
    folder = root / SUPERSEDED / target.parent.name
    folder.mkdir(parents=True, exist_ok=True)
    free = next(path for path in _numbered(folder, target.name) if not path.exists())
    target.rename(free)


def _numbered(folder: Path, name: str) -> Iterator[Path]:
    return (folder / f"{name}-{number}" for number in count(1))
