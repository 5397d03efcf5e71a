"""From a download to `submitted/<student>/<assignment>/`: planned as a whole, then written student by student."""

from __future__ import annotations

import filecmp
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

from dateutil import parser as dates

from autograder.base.errors import AutograderError, CourseError
from autograder.base.names import fault_of_id, is_file_name
from autograder.collecting.attribution import candidates, chosen_reading, fault_of_name, fault_of_owner
from autograder.collecting.clones import KIND as CLONES
from autograder.collecting.clones import owners, read_clones
from autograder.collecting.downloads import UNREADABLE, Download, Skipped, open_download
from autograder.collecting.layouts import (
    MAX_TIMESTAMP_BYTES,
    TIMESTAMP,
    Layout,
    Reading,
    StudentFiles,
    Version,
    by_name,
    files_by_student,
    is_named,
    newest,
    read_layout,
    write_timestamp,
)
from autograder.collecting.roster import GITHUB, Enrolled, Roster
from autograder.sources.course import Course
from autograder.submissions.belonging import other_assignment, wrong_assignment_sentence
from autograder.submissions.notebook_file import is_notebook, only_notebook, read_submission

SUPERSEDED = "superseded"
# `kept`: another submission is there, and stayed; `failed`: the download couldn't be read, or there was no room.
STATES = ("new", "unchanged", "replaced", "kept", "failed")


@dataclass(frozen=True)
class Arrival:
    """What one student's folder will hold.

    Attributes:
        student: nbgrader's id.
        called: the student's name in the download.
        files: file name in `submitted` -> the file of the download that goes there.
        submitted: the time of handing in, None if unknown.
        is_late: whether Canvas calls the work late.
        notes: sentences that the instructor should know.
        trouble: sentences about what the instructor should look at.
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
        assignment: id of the assignment.
        kind: kind of the download's layout: `canvas`, `moodle`, `clones` or `plain`.
        arrivals: what each student's folder will hold, in the order of the ids.
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
        strangers: student -> sentence about a notebook of another assignment.
    """

    plan: Plan
    states: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    strangers: dict[str, str] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether everything handed in is in `submitted` now, and nothing needs a look."""
        trouble = any(arrival.trouble for arrival in self.plan.arrivals)
        return not (self.plan.unknown or self.plan.skipped or trouble or {"kept", "failed"} & set(self.states.values()))

    def notes_on(self, arrival: Arrival) -> list[str]:
        """Return what the instructor should know of one student's arrival."""
        return [*arrival.notes, *filter(None, [self.strangers.get(arrival.student)])]

    def record(self) -> dict[str, Any]:
        """Return everything as JSON-ready data."""
        plan = self.plan
        return {
            "assignment": plan.assignment,
            "layout": plan.kind,
            "complete": self.is_complete,
            "students": [
                {
                    "student": arrival.student,
                    "called": arrival.called,
                    "state": self.states[arrival.student],
                    "files": {name: str(version.member.path) for name, version in arrival.files.items()},
                    "submitted": arrival.submitted.isoformat() if arrival.submitted else None,
                    "late": arrival.is_late,
                    "notes": self.notes_on(arrival),
                    "trouble": [*arrival.trouble, *filter(None, [self.faults.get(arrival.student)])],
                }
                for arrival in plan.arrivals
            ],
            "unknown": [asdict(one) for one in plan.unknown],
            "skipped": [asdict(one) for one in plan.skipped],
            "missing": list(plan.missing),
        }


def collect(
    course: Course,
    assignment: str,
    path: Path,
    roster_of: Callable[[str], Roster | None],
    *,
    force: bool = False,
    is_class: bool = True,
) -> Collected:
    """Bring a zip or folder of submissions into `submitted/`.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        path: the zip or folder to collect from.
        roster_of: returns the roster for a layout: `canvas`, `moodle`, `clones` or `plain`.
        force: replace submissions that differ; what was there is moved to `superseded/`.
        is_class: whether it is a whole class's; it is refused then if most notebooks are named like another assignment's.

    Raises:
        CourseError: the download or the roster is unusable; nothing was written.
    """
    course.source(assignment)
    with open_download(path) as download:
        if download.skipped and not download.members:
            one = download.skipped[0]
            raise CourseError(
                f"A download must hold a file that can be taken. Received: only {one.path}: {one.reason}."
            )
        layout = read_clones(download, assignment) or read_layout(download.members, assignment)
        plan = make_plan(course, assignment, download, layout, roster_of(layout.kind), is_class=is_class)
        return execute_plan(course, plan, force=force)


def make_plan(
    course: Course,
    assignment: str,
    download: Download,
    layout: Layout,
    roster: Roster | None,
    *,
    is_class: bool = True,
) -> Plan:
    """Tell what of a download goes into whose folder; nothing is written.

    Args:
        course: the course whose sources and configuration are used.
        assignment: id of the assignment, e.g. `01-first-steps`.
        download: what was handed in.
        layout: which student each file belongs to.
        roster: students' names and ids; downloads from Canvas and Moodle need one.
        is_class: whether it is a whole class's; it is refused then if most notebooks are named like another assignment's.

    Raises:
        CourseError: the roster is missing, or the download is another assignment's.
    """
    notebook = course.source(assignment).name
    if roster is None and layout.kind not in ("plain", CLONES):
        raise CourseError(
            f"A download from {layout.kind.capitalize()} names students by its own ids. Received: no roster. Export the "
            f"gradebook of {layout.kind.capitalize()} as CSV and name it with --roster."
        )
    skipped = [*download.skipped, *layout.skipped]
    readings: list[Reading] = []
    for ways in layout.files:
        reading, doubt = chosen_reading(ways, layout.kind, roster)
        if doubt:
            skipped.append(Skipped(str(ways[0].version.member.path), doubt))
        else:
            readings.append(reading)
    handed = files_by_student(readings)
    if is_class:
        _check_assignment(course, assignment, handed)
    arrivals: dict[str, Arrival] = {}
    unknown: list[Skipped] = []
    people_of = _people_of(handed, layout.kind, roster)
    faults = _faults_of_names(handed, people_of, layout.kind, roster)
    for files, people, fault in zip(handed, people_of, faults, strict=True):
        called = f"{files.name}_{files.number}" if files.number else files.name
        if fault:
            unknown.append(Skipped(called, fault))
            continue
        arrival, left_out = _arrival(files, people[0], notebook, layout.kind)
        skipped += left_out
        if arrival.files:
            arrivals[arrival.student] = arrival
        else:
            unknown.append(Skipped(called, "nothing of it can be taken"))
    ordered = tuple(arrivals[student] for student in sorted(arrivals))
    possible = {person.id for people in people_of for person in people}
    missing = tuple(
        student
        for student in (roster.ids if roster else ())
        if student not in possible and not _is_collected(course.root, student, assignment)
    )
    return Plan(assignment, layout.kind, ordered, tuple(unknown), tuple(skipped), missing)


def _people_of(handed: Sequence[StudentFiles], kind: str, roster: Roster | None) -> list[list[Enrolled]]:
    """Return, for the files of each name in the download, the students that may be called so."""
    if kind == CLONES:
        owners_of = owners([files.name for files in handed], _with_github(roster))
        return [owners_of[files.name] for files in handed]
    return [candidates(files, kind, roster) for files in handed]


def _faults_of_names(
    handed: Sequence[StudentFiles], people_of: Sequence[Sequence[Enrolled]], kind: str, roster: Roster | None
) -> list[str]:
    """Return, for the files of each name in the download, why they can't be told one student's; empty if they can."""
    faults = [fault_of_name(people, files, kind, roster) for files, people in zip(handed, people_of, strict=True)]
    claims: dict[str, list[StudentFiles]] = defaultdict(list)  # student -> the files under that student's names
    for files, people, fault in zip(handed, people_of, faults, strict=True):
        if not fault:
            claims[people[0].id].append(files)
    return [
        fault or fault_of_owner(files, people[0], claims[people[0].id], kind)
        for files, people, fault in zip(handed, people_of, faults, strict=True)
    ]


def _with_github(roster: Roster | None) -> Roster:
    """Return the roster if it tells names on GitHub.

    Raises:
        CourseError: it doesn't.
    """
    if roster is None or not roster.has_github:
        raise CourseError(
            "Clones are called by names on GitHub, and a roster must tell whose they are. Received: "
            f"{f'{roster.path} without such a column' if roster else 'no roster'}. Name a CSV with --roster that has a column {' or '.join(GITHUB)}, and "
            "the column with nbgrader's student ids with --match."
        )
    return roster


def execute_plan(course: Course, plan: Plan, *, force: bool = False) -> Collected:
    """Write a plan's files. What is in a student's folder stays unless `force`, and then it is moved to `superseded/`."""
    collected = Collected(plan)
    for arrival in plan.arrivals:
        try:
            state = collected.states[arrival.student] = _deliver(course.root, plan.assignment, arrival, force)
            if state != "kept" and (other := _other_assignment(course, plan.assignment, arrival.student)):
                collected.strangers[arrival.student] = wrong_assignment_sentence(other, plan.assignment).en
        except CourseError as error:
            collected.states[arrival.student] = "failed"
            collected.faults[arrival.student] = str(error)
    return collected


def _other_assignment(course: Course, assignment: str, student: str) -> str:
    expected = course.root / "submitted" / student / assignment / f"{course.source(assignment).name}.ipynb"
    with suppress(AutograderError):  # what can't be read is told when it is graded
        notebook = read_submission(only_notebook(expected), course.limits_of(assignment).notebook_bytes)
        return other_assignment(notebook, course, assignment)
    return ""


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
            write_timestamp(partial, arrival.submitted)
        state = _state(target, partial, force)
        if state == "replaced":
            _put_aside(root, target)
        if state in ("new", "replaced"):
            partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return state


def _check_assignment(course: Course, assignment: str, handed: Sequence[StudentFiles]) -> None:
    """Refuse a download in which most students' notebooks are named as another assignment's."""
    counts: Counter[str] = Counter()
    voters = 0
    for one in handed:
        notebooks = [version.name for version in one.versions if is_notebook(version.name)]
        called = {a for a, own in course.notebook_names.items() for name in notebooks if is_named(name, own)}
        counts.update({assignment} if assignment in called else called)
        voters += bool(notebooks)
    likeliest = max(course.source_paths, key=lambda other: counts[other])
    if likeliest != assignment and counts[likeliest] > 2 * counts[assignment] and 2 * counts[likeliest] > voters:
        raise CourseError(
            f"The download must be {assignment}'s. Received: {counts[likeliest]} notebooks of {likeliest} and "
            f"{counts[assignment]} of {assignment}. Name the other assignment, or the other file."
        )


def _is_collected(root: Path, student: str, assignment: str) -> bool:
    return not fault_of_id(student) and (root / "submitted" / student / assignment).exists()


def _arrival(one: StudentFiles, person: Enrolled, notebook: str, kind: str) -> tuple[Arrival, list[Skipped]]:
    """Choose among a student's files: the newest version of the notebook, and what else lies beside it."""
    ours = [version for version in one.versions if is_named(version.name, notebook)]
    has_folders = kind in ("plain", CLONES)  # of the student's own
    files: dict[str, Version] = {}
    notes: list[str] = []
    trouble: list[str] = []
    skipped: list[Skipped] = []
    if ours:
        # a notebook in a folder of the student's own counts only where there is none beside it
        chosen = files[f"{notebook}.ipynb"] = newest([v for v in ours if not v.depth or not has_folders] or ours)
        older = [version for version in ours if version is not chosen]
        if chosen.name != f"{notebook}.ipynb":
            notes.append(f"was called {chosen.name}")
        if older:
            notes.append(f"newest of {len(ours)} versions; not taken: {', '.join(str(v.member.path) for v in older)}")
        if chosen.depth and has_folders:
            trouble.append(f"the notebook was in a further folder: {chosen.member.path}")
    others = [version for version in one.versions if version not in ours]
    for name, versions in by_name(others).items():
        if ours and is_notebook(name):
            notes.append(f"another notebook, not taken: {name}")
        elif reason := _reason_to_skip(name, kind, is_in_folder=versions[0].depth > 0):
            skipped += _left_out(versions, reason)
        else:
            files[name] = versions[0]
            skipped += _left_out(versions[1:], f"a second file of the name {name} from {person.id}")
    notebooks = [name for name in files if is_notebook(name)]
    if not notebooks:
        trouble.append(f"no notebook, only {', '.join(sorted(files)) or 'nothing that can be taken'}")
    elif len(notebooks) > 1:
        trouble.append(f"none of several notebooks is called {notebook}.ipynb: {', '.join(sorted(notebooks))}")
    elif not ours:
        only = notebooks[0]
        files[f"{PurePosixPath(only).stem}.ipynb"] = files.pop(only)  # nbgrader doesn't look for `.IPYNB`
        notes.append(f"is called {only}")
    if TIMESTAMP in files:
        # plain folders may be nbgrader's own, which writes such a file; a student's looks the same
        notes.append(
            f"handed in when its own {TIMESTAMP} says"
            if _holds_a_time(files[TIMESTAMP])
            else f"when it was handed in isn't known: no time can be read from its own {TIMESTAMP}"
        )
    arrival = Arrival(person.id, one.name, files, person.submitted, one.is_late, tuple(notes), tuple(trouble))
    return arrival, skipped


def _reason_to_skip(name: str, kind: str, *, is_in_folder: bool) -> str:
    """Return why a file beside the notebook goes nowhere, empty if it is taken.

    Args:
        name: the file's own name, without folders.
        kind: the kind of the download's layout.
        is_in_folder: whether the file lies in a folder of the student's own.
    """
    if name == TIMESTAMP and (kind != "plain" or is_in_folder):
        return "a student's own time of handing in"
    if kind in ("plain", CLONES) and is_in_folder and is_notebook(name):
        return "another notebook, in a further folder"
    return "" if is_file_name(name) else "a hidden file, or one with a strange name"


def _holds_a_time(version: Version) -> bool:
    """Whether nbgrader will read a time from a file; one that can't be opened is told when it is copied."""
    try:
        with version.member.open() as file:
            content = file.read(MAX_TIMESTAMP_BYTES + 1)
        if len(content) > MAX_TIMESTAMP_BYTES:
            return False
        dates.parse(content.decode(), tzinfos=lambda *_: None)  # of any zone, known or not
    except (*UNREADABLE, OSError, ValueError, OverflowError):
        return False
    return True


def _left_out(versions: Sequence[Version], reason: str) -> list[Skipped]:
    return [Skipped(str(version.member.path), reason) for version in versions]


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
